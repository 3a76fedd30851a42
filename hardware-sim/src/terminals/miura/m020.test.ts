import { decodeTlv, encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { type CommandName, encodeCommand } from '@tillbridge/wire/terminals/miura/commands.js';
import {
  encodeCommandPacket,
  INITIAL_PACKET_STATE,
  parsePackets,
} from '@tillbridge/wire/terminals/miura/packet.js';
import { decodeResponse } from '@tillbridge/wire/terminals/miura/responses.js';
import { P2PE_STATUS, TAGS } from '@tillbridge/wire/terminals/miura/tags.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AutoCardholder } from '../core/auto-cardholder.js';
import { DeviceHarness } from '../core/device-harness.test.support.js';
import { MiuraM020 } from './m020.js';

/** What the device sent: status word, and the objects of its data. */
interface SentMessage {
  readonly unsolicited: boolean;
  readonly sw: string;
  readonly nodes: readonly TlvNode[];
}

const NO_DATA = Buffer.alloc(0);
/** P1 of CARD STATUS: tell of slot and magstripes, of the slot alone, of nothing. */
const WATCH = 0x1d;
const WATCH_SLOT = 0x01;
const WATCH_NOTHING = 0x00;
const KSN = Buffer.from('FFFF9876543210E00000', 'hex');
const SALE = encodeTlv([
  tlv('E0', [
    tlv('9C', Buffer.of(0)),
    tlv('9F02', Buffer.from('000000001234', 'hex')),
    tlv('9A', Buffer.from('261120', 'hex')),
    tlv('9F21', Buffer.from('101530', 'hex')),
    tlv('5F2A', Buffer.from('0978', 'hex')),
  ]),
]);

let harness: DeviceHarness<MiuraM020>;
let clock: DeviceHarness<MiuraM020>['clock'];
let device: MiuraM020;
let host: DeviceHarness<MiuraM020>['host'];
let sent: SentMessage[];
let faults: readonly unknown[];

beforeEach(() => {
  harness = new DeviceHarness(MiuraM020, { serial: 'M0000001', ksnPin: KSN, ksnData: KSN });
  ({ clock, device, host, faults } = harness);
  sent = [];
  let state = INITIAL_PACKET_STATE;
  host.onData((bytes) => {
    const parsed = parsePackets(state, bytes);
    state = parsed.state;
    for (const event of parsed.events) {
      if (event.kind !== 'message') throw new Error('the device sent a damaged packet');
      const { data, sw } = decodeResponse(event.message.apdu);
      const hex = sw.toString(16).toUpperCase().padStart(4, '0');
      sent.push({ unsolicited: event.message.unsolicited, sw: hex, nodes: decodeTlv(data) });
    }
  });
});

async function send(command: CommandName, data: Uint8Array = NO_DATA, p1 = 0): Promise<void> {
  await host.write(encodeCommandPacket(encodeCommand({ command, p1, p2: 0, data })));
  await settle();
}

/** Waits for an answer that takes the card's time. */
async function answered(): Promise<SentMessage> {
  for (let turn = 0; turn < 100; turn += 1) {
    const answer = sent.find(({ unsolicited }) => !unsolicited);
    if (answer) return answer;
    await settle();
  }
  throw new Error('the device did not answer');
}

const words = (): string[] => sent.splice(0).map(({ sw }) => sw);

const insert = (name: string): void => harness.give(name, 'insert');

describe('a Miura M020', () => {
  test('reports what it is, its keys, its battery and its clock', async () => {
    await send('reset');
    await send('p2peStatus');
    await send('batteryStatus');
    await send('clock');
    const [identity, keys, battery, time] = sent;
    expect(Buffer.from(findTlv(identity?.nodes ?? [], '9F1E') ?? []).toString()).toBe('M0000001');
    const ready = P2PE_STATUS.initialised | P2PE_STATUS.pinReady | P2PE_STATUS.sredReady;
    expect(findTlv(keys?.nodes ?? [], TAGS.p2peStatus)).toEqual(Buffer.of(ready));
    expect(findTlv(battery?.nodes ?? [], TAGS.batteryStatus)?.[0]).toBeGreaterThan(20);
    expect(findTlv(time?.nodes ?? [], '9F21')).toEqual(Buffer.from('101530', 'hex'));
    device.setDeviceFaults(['tamper', 'low-battery']);
    sent.length = 0;
    await send('p2peStatus');
    expect(findTlv(sent[0]?.nodes ?? [], TAGS.p2peStatus)).toEqual(Buffer.of(P2PE_STATUS.initialised));
  });

  test('refuses what it does not know, and what comes in the wrong order or form', async () => {
    await host.write(encodeCommandPacket(Buffer.of(0x12, 0x34, 0, 0)));
    await host.write(encodeCommandPacket(Buffer.of(0xde, 0xd1, 0, 0, 9, 1)));
    await settle();
    expect(words()).toEqual(['6D00', '6700']);
    await send('continue', SALE);
    expect(words()).toEqual(['9F22']);
    await send('start', SALE);
    expect(words()).toEqual(['9F23']);
    await send('start', Buffer.from('E103020100', 'hex'));
    await send('start', encodeTlv([tlv('E0', [tlv('9C', Buffer.of(0))])]));
    await send('onlinePin', SALE);
    expect(words()).toEqual(['9F21', '9F27', '9F22']);
    expect(faults).toEqual([]);
  });

  test('an abort ends what waits, and is answered itself', async () => {
    await send('abort');
    expect(words()).toEqual(['9000']);
    await send('startContactless', SALE);
    await send('displayText', Buffer.from('HELLO'));
    expect(words()).toEqual(['9F26']);
    await send('abort');
    expect(words()).toEqual(['9F41', '9000']);
    await send('startContactless', SALE);
    await clock.advance(120_001);
    expect(words()).toEqual(['9F42']);
  });

  test('reports a card, and that it left, only when the host enabled that', async () => {
    insert('visa-credit-online');
    await settle();
    expect(sent).toEqual([]);
    await send('cardStatus', NO_DATA, WATCH);
    device.ui.remove();
    await settle();
    insert('visa-credit-online');
    await settle();
    const slots = sent
      .splice(0)
      .map(({ nodes, unsolicited }) => [unsolicited, findTlv(nodes, TAGS.cardStatus)?.[0]]);
    expect(slots.at(-1)).toEqual([true, 0x03]);
    await send('start', SALE);
    expect(await answered()).toMatchObject({ sw: '9000', nodes: [{ tag: 'E4' }] });
    await send('abort');
    device.ui.remove();
    await settle();
    expect(findTlv(sent.at(-1)?.nodes ?? [], TAGS.cardStatus)?.[0]).toBe(0);
  });

  test('reports cards in E1, keys in E0, a PIN entry in E6', async () => {
    await send('cardStatus', NO_DATA, WATCH);
    harness.give('visa-credit-online', 'swipe');
    await settle();
    const swipe = sent.at(-1)?.nodes ?? [];
    expect(swipe.map(({ tag }) => tag)).toEqual(['E1']);
    expect(findTlv(swipe, TAGS.cardStatus)).toEqual(Buffer.of(0x00, 0x07));
    const masked = Buffer.from(findTlv(swipe, TAGS.maskedMagstripeTrack2) ?? []).toString('latin1');
    expect(masked).toMatch(/^;420000\*{6}0000=3112201\*+\?\*$/);
    insert('mastercard-debit-pin');
    await settle();
    sent.length = 0;
    await send('start', SALE);
    const entry = sent.at(-1);
    expect(entry).toMatchObject({ unsolicited: true, nodes: [{ tag: 'E6' }] });
    expect(findTlv(entry?.nodes ?? [], TAGS.statusCode)).toEqual(Buffer.of(0x02));
    expect(device.unsolicited()).toEqual(Buffer.from('014009E005DFA205010D900049', 'hex'));
  });

  test('answers a damaged command as unsolicited', async () => {
    const bent = encodeCommandPacket(encodeCommand({ command: 'clock', p1: 0, p2: 0, data: NO_DATA }));
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
    await host.write(bent);
    await settle();
    expect(sent[0]).toMatchObject({ unsolicited: true, sw: '6F00' });
  });

  test('enciphers nothing once its key is gone', async () => {
    await send('cardStatus', NO_DATA, WATCH);
    insert('visa-credit-online');
    device.setDeviceFaults(['key-exhausted']);
    sent.length = 0;
    await send('start', SALE);
    expect((await answered()).sw).toBe('9FE0');
    expect(faults).toEqual([]);
  });

  test('its frames show no card', async () => {
    await send('cardStatus', NO_DATA, WATCH);
    insert('visa-credit-online');
    await send('start', SALE);
    await answered();
    const text = harness.passed.map((frame) => frame.text).join('\n');
    expect(text).toContain('START TRANSACTION');
    // CARD STATUS is answered by a report: the answer that follows is that of the sale.
    expect(text).toMatch(/^START TRANSACTION 9000/m);
    expect(text).not.toMatch(/4200000000000000|420000\*+0000=/);
  });
});

describe('a Miura M020 whose host is slow, and its cardholder', () => {
  const PERSON_MS = 400;
  const HOST_MS = 20 * PERSON_MS;
  let people: AutoCardholder;

  beforeEach(() => {
    const options = { clock, box: harness.box, defaultCard: 'visa-contactless', delayMs: PERSON_MS };
    people = new AutoCardholder(device.ui, options);
  });
  afterEach(() => people.stop());

  const slotAtLast = () => findTlv(sent.at(-1)?.nodes ?? [], TAGS.cardStatus)?.[0];

  test.each(['before', 'after'])('a card given %s the request stays until it is read', async (when) => {
    if (when === 'before') insert('visa-credit-online');
    await send('cardStatus', NO_DATA, WATCH);
    if (when === 'after') insert('visa-credit-online');
    await settle();
    expect(slotAtLast()).toBe(0x03);
    await clock.advance(HOST_MS);
    sent.length = 0;
    await send('startContactless', SALE);
    expect(words()).toContain('9F43');
    await clock.advance(HOST_MS);
    await send('start', SALE);
    expect(await answered()).toMatchObject({ sw: '9000', nodes: [{ tag: 'E4' }] });
    expect(device.ui.given?.definition.name).toBe('visa-credit-online');
  });

  test('a host that waits for the antenna alone gets the report of the chip, which stays', async () => {
    await send('startContactless', SALE);
    insert('visa-credit-online');
    await settle();
    expect(words()).toEqual(['9F43']);
    await clock.advance(HOST_MS);
    await send('start', SALE);
    expect(await answered()).toMatchObject({ sw: '9000', nodes: [{ tag: 'E4' }] });
  });

  test('a card that was there before the request of the host stays as well', async () => {
    await send('startContactless', SALE);
    insert('visa-credit-online');
    await send('cardStatus', NO_DATA, WATCH_SLOT);
    await send('cardStatus', NO_DATA, WATCH);
    await clock.advance(HOST_MS);
    expect([device.ui.state, slotAtLast()]).toEqual(['reading', 0x03]);
  });

  test('a card that the host no longer wants is taken back', async () => {
    await send('cardStatus', NO_DATA, WATCH);
    insert('visa-credit-online');
    await settle();
    await send('cardStatus', NO_DATA, WATCH_NOTHING);
    expect(device.ui.state).toBe('idle');
    await clock.advance(PERSON_MS);
    expect(device.ui.inserted).toBeUndefined();
  });

  test('no card is presented while the host waits for the slot to be empty; the next one stays ready', async () => {
    await send('cardStatus', NO_DATA, WATCH);
    insert('visa-credit-online');
    await send('start', SALE);
    await answered();
    await send('abort');
    await send('cardStatus', NO_DATA, WATCH_SLOT);
    expect([device.ui.state, slotAtLast()]).toEqual(['removing', 0x03]);
    insert('mastercard-debit-pin');
    await clock.advance(PERSON_MS);
    expect([device.ui.state, slotAtLast()]).toEqual(['idle', 0x00]);
    await clock.advance(HOST_MS);
    await send('cardStatus', NO_DATA, WATCH_NOTHING);
    expect(device.ui.inserted).toBeUndefined();
    await send('cardStatus', NO_DATA, WATCH);
    expect(device.ui.inserted?.definition.name).toBe('mastercard-debit-pin');
  });
});
