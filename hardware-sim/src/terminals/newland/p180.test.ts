import { decodeTlv, encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/protocol/seams/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import {
  CALLBACKS,
  encodeCallbackAnswer,
  PIN_TYPES,
  PRESENT_CARD,
  UI_EVENTS,
} from '@tillbridge/protocol/terminals/newland/callbacks.js';
import { encodeDisplay, encodeKeySlot } from '@tillbridge/protocol/terminals/newland/commands.js';
import {
  CANCEL_CARD_WAIT,
  encodeFrame,
  INITIAL_FRAME_STATE,
  parseFrames,
} from '@tillbridge/protocol/terminals/newland/frame.js';
import { FUNCTIONS, type FunctionName } from '@tillbridge/protocol/terminals/newland/functions.js';
import {
  DATA_TYPES,
  decodeKernelData,
  decodeTerminalConfig,
  encodeGetData,
  encodeGetTlvList,
} from '@tillbridge/protocol/terminals/newland/kernel-data.js';
import { decodeMessage, encodeMessage } from '@tillbridge/protocol/terminals/newland/messages.js';
import {
  decodeCompleteAnswer,
  decodePerformAnswer,
  encodeComplete,
  encodePerform,
  type PerformAnswer,
} from '@tillbridge/protocol/terminals/newland/perform.js';
import { ERRORS, RESULTS } from '@tillbridge/protocol/terminals/newland/statuses.js';
import {
  CALLBACK_FLAGS,
  CARD_WAYS,
  ENTRY_MODES,
  KEY_SYSTEMS,
  TAGS,
} from '@tillbridge/protocol/terminals/newland/tags.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { CardBox } from '../../cards/card-box.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { seededRandom } from '../../faults/seeded-random.js';
import { memorySlot } from '../../state/state-slot.js';
import { NewlandP180 } from './p180.js';

const KSN = Buffer.from('FFFF9876543210E00000', 'hex');
const PIN_SLOT = 1;
const DATA_SLOT = 129;
const EMPTY = Buffer.alloc(0);
const EVERY_WAY = CARD_WAYS.stripe | CARD_WAYS.contact | CARD_WAYS.contactless;

let clock: VirtualClock;
let twin: NewlandP180;
let host: BytePipe;
/** Confirmations and refusals, and messages as text. */
let controls: string[];
let said: { readonly type: string; readonly body: Buffer }[];
let faults: unknown[];

beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 10, 20, 10, 15, 30));
  [faults, said, controls] = [[], [], []];
  twin = new NewlandP180({
    id: 'T1',
    serial: 'N0000001',
    clock,
    random: seededRandom(1),
    presentAheadMs: 10_000,
    ksnPin: KSN,
    ksnData: KSN,
    pinKeyIndex: 1,
    dataKeyIndex: 1,
    pinSlot: memorySlot(),
    dataSlot: memorySlot(),
    counters: memorySlot(),
    onFault: (error) => faults.push(error),
  });
  const [end, device] = memoryPipe();
  host = end;
  let state = INITIAL_FRAME_STATE;
  host.onData((bytes) => {
    const parsed = parseFrames(state, bytes);
    state = parsed.state;
    for (const event of parsed.events) {
      if (event.kind === 'frame') said.push(decodeMessage(event.data));
      else controls.push(event.kind);
    }
  });
  twin.attach(device);
});

async function send(type: string, body: Uint8Array = EMPTY): Promise<void> {
  await host.write(encodeFrame(encodeMessage({ type, body: Buffer.from(body) })));
  await settle();
}

const call = (name: FunctionName, data: Uint8Array = EMPTY): Promise<void> =>
  send('L0', Buffer.concat([Buffer.of(FUNCTIONS[name].id), data]));

/** The next message, once the card has taken its time. */
async function next(): Promise<{ readonly type: string; readonly body: Buffer }> {
  for (let turn = 0; turn < 200; turn += 1) {
    const message = said.shift();
    if (message) return message;
    await settle();
  }
  throw new Error('the device said nothing');
}

async function answerOf(name: FunctionName): Promise<{ readonly code: string; readonly data: Buffer }> {
  const { type, body } = await next();
  expect([type, body[0]]).toEqual(['L1', FUNCTIONS[name].id]);
  return { code: body.subarray(1, 3).toString('latin1'), data: body.subarray(3) };
}

/** The next callback: its id and data. */
async function callback(): Promise<number[]> {
  const { type, body } = await next();
  expect([type, body[0]]).toEqual(['L1', FUNCTIONS.callback.id]);
  return [...body.subarray(1)];
}

async function reply(type: string, body: Uint8Array = EMPTY): Promise<string> {
  await send(type, body);
  return (await next()).body.toString('latin1');
}

interface Sale {
  readonly ways?: number;
  readonly flags?: number;
  readonly objects?: readonly TlvNode[];
}

function perform({ ways = EVERY_WAY, flags = 0, objects = [] }: Sale = {}): Promise<void> {
  const sale = [
    tlv('9F02', Buffer.from('000000001234', 'hex')),
    tlv('9C', Buffer.of(0)),
    tlv('9A', Buffer.from('261120', 'hex')),
    tlv('9F21', Buffer.from('101530', 'hex')),
    tlv('5F2A', Buffer.from('0978', 'hex')),
    tlv(TAGS.callbacks, Buffer.of(flags, 1, 0)),
    ...objects,
  ];
  return call('perform', encodePerform({ cardWays: ways, timeoutSeconds: 30, objects: sale }));
}

async function performed(): Promise<PerformAnswer> {
  const { code, data } = await answerOf('perform');
  expect(code).toBe('00');
  return decodePerformAnswer(data);
}

function give(name: string, how: PresentMode, collision = false): void {
  const taken = new CardBox(() => memorySlot()).take(name);
  if (!taken) throw new Error(`no card ${name}`);
  twin.front.present({ ...taken, how, collision });
}

const presentCard = (how: number): number[] => [CALLBACKS.uiEvent, UI_EVENTS.presentCard, 0, 1, how];
const processing = (how: number): number[] => [CALLBACKS.uiEvent, UI_EVENTS.processing, 0, 1, how];

describe('a Newland P180', () => {
  test('a chip that cannot be read has no way back where no stripe is allowed', async () => {
    await perform({ ways: CARD_WAYS.contact });
    give('chip-broken-fallback', 'insert');
    expect(await performed()).toMatchObject({ error: ERRORS.fallback.code });
  });

  test('tells what it is, its configuration and its keys', async () => {
    expect(await reply('90')).toMatch(/^P180 /);
    await call('getTerminalConfig', Buffer.of(1));
    const { data } = await answerOf('getTerminalConfig');
    const config = decodeTlv(decodeTerminalConfig(data));
    expect(Buffer.from(findTlv(config, '9F1E') ?? []).toString()).toBe('N0000001');
    for (const slot of [PIN_SLOT, DATA_SLOT]) {
      const before = Buffer.from(await reply('34', encodeKeySlot(slot)), 'latin1');
      expect(await reply('7g', encodeKeySlot(slot))).toBe('00');
      const after = Buffer.from(await reply('34', encodeKeySlot(slot)), 'latin1');
      expect(before.toString('hex')).toBe(`3030${KSN.toString('hex')}`);
      expect(after.readUInt8(11)).toBe(before.readUInt8(11) + 1);
    }
    expect(await reply('34', encodeKeySlot(7))).toBe('01');
  });

  test.each(['tamper', 'key-exhausted'] as const)(
    'has no keys to show with %s, until it is healed',
    async (fault) => {
      twin.setDeviceFaults([fault]);
      expect(await reply('34', encodeKeySlot(PIN_SLOT))).toBe('01');
      expect(await reply('7g', encodeKeySlot(DATA_SLOT))).toBe('01');
      twin.setDeviceFaults([]);
      expect(await reply('7g', encodeKeySlot(DATA_SLOT))).toBe('00');
    },
  );

  test('confirms what it takes, refuses what came damaged, and says no to what it does not know', async () => {
    const bent = encodeFrame(encodeMessage({ type: '90', body: EMPTY }));
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
    await host.write(bent);
    await settle();
    expect(controls).toEqual(['nak']);
    expect(await reply('90')).toMatch(/^P180/);
    expect(controls).toEqual(['nak', 'ack']);
    expect(await reply('Z8')).toBe('01');
    await call('kernelVersion');
    expect(await answerOf('kernelVersion')).toMatchObject({ code: '01' });
    await call('perform', Buffer.of(6, 0, 0));
    expect(await answerOf('perform')).toMatchObject({ code: '01' });
    expect(await reply('34', Buffer.of(0))).toBe('01');
  });

  test('shows four rows, and confirms them with nothing more', async () => {
    await send('3C', encodeDisplay(['PAY', '12.34']));
    expect(twin.front.screen).toEqual(['PAY', '12.34']);
    expect(controls).toEqual(['ack']);
    await send('3C', Buffer.from('no rows'));
    expect(twin.front.screen).toEqual(['PAY', '12.34']);
    expect(said).toEqual([]);
  });

  test('reads a chip and tells of it; card data come enciphered alone', async () => {
    await perform({ flags: CALLBACK_FLAGS.notification });
    expect(await callback()).toEqual(presentCard(PRESENT_CARD.stripeInsertTap));
    give('visa-credit-online', 'insert');
    expect(await callback()).toEqual(processing(1));
    const { result, objects } = await performed();
    expect(result).toBe(RESULTS.online);
    expect(findTlv(objects, '9F39')).toEqual(Buffer.of(ENTRY_MODES.chip));
    await call(
      'getTlvList',
      encodeGetTlvList({ keySlot: 0, tags: ['57', '5A', '9F26', '9F5B'], maxBytes: 512 }),
    );
    const list = decodeKernelData((await answerOf('getTlvList')).data, 0);
    const tags = list.kind === 'data' ? decodeTlv(list.data).map(({ tag }) => tag) : [];
    expect(tags).toEqual(['9F26']);
    const ask = async (type: number, keySlot: number, maxBytes = 64) => {
      await call('getData', encodeGetData({ keySlot, type, maxBytes }));
      return answerOf('getData');
    };
    expect(await ask(DATA_TYPES.pan, 0)).toMatchObject({ code: '01' });
    expect(await ask(DATA_TYPES.track2, PIN_SLOT)).toMatchObject({ code: '01' });
    expect(await ask(DATA_TYPES.track2, DATA_SLOT, 8)).toMatchObject({ code: '01' });
    const track = decodeKernelData((await ask(DATA_TYPES.track2, DATA_SLOT)).data, DATA_SLOT);
    expect(track).toMatchObject({ kind: 'data', actualBytes: expect.any(Number) });
    const expiry = decodeKernelData((await ask(DATA_TYPES.expiry, 0)).data, 0);
    expect(expiry).toMatchObject({ data: Buffer.from('3112') });
    expect(decodeKernelData((await ask(DATA_TYPES.track3, DATA_SLOT)).data, DATA_SLOT)).toEqual({
      kind: 'absent',
    });
    const log = twin.frames.map(({ text }) => text).join('\n');
    expect(log).toContain('PERFORM TRANSACTION answer 00 9F39=05');
    expect(log).not.toContain('4200000000000000');
  });

  test('takes one answer of the issuer, and none without a chip that waits', async () => {
    const answer = encodeComplete({ online: true, objects: [tlv('8A', Buffer.from('05'))] });
    await call('complete', answer);
    expect(decodeCompleteAnswer((await answerOf('complete')).data).result).toBe(RESULTS.terminated);
    await perform();
    give('visa-credit-online', 'insert');
    await performed();
    await call('complete', answer);
    expect(decodeCompleteAnswer((await answerOf('complete')).data)).toEqual({
      result: RESULTS.declined,
      error: 0,
    });
    await call('complete', answer);
    expect(decodeCompleteAnswer((await answerOf('complete')).data).result).toBe(RESULTS.terminated);
  });

  test('tells that the card was pulled out before the issuer answered', async () => {
    await perform();
    give('visa-credit-online', 'insert');
    await performed();
    twin.front.remove();
    await call('complete', encodeComplete({ online: true, objects: [tlv('8A', Buffer.from('00'))] }));
    const { data } = await answerOf('complete');
    expect(decodeCompleteAnswer(data)).toEqual({ result: RESULTS.terminated, error: ERRORS.removed.code });
  });

  test('ends the wait for a card by +++CANCEL, by its key, and after its time', async () => {
    await perform();
    await host.write(CANCEL_CARD_WAIT);
    expect(await performed()).toMatchObject({ result: RESULTS.terminated, error: ERRORS.cancel.code });
    await host.write(CANCEL_CARD_WAIT);
    await perform();
    twin.front.enterPin({ kind: 'cancel' });
    expect(await performed()).toMatchObject({ error: ERRORS.cancel.code });
    await perform();
    await clock.advance(30_000);
    expect(await performed()).toMatchObject({ error: ERRORS.timeout.code });
    expect(faults).toEqual([]);
  });

  test('runs one transaction at a time, and ends it without an answer when it is told to', async () => {
    await perform();
    await perform();
    expect(await answerOf('perform')).toMatchObject({ code: '01' });
    expect(await reply('BM', Buffer.from('REMOVE'))).toBe('01');
    await call('terminate');
    expect(await answerOf('terminate')).toMatchObject({ code: '00' });
    expect(twin.front.want).toBe('nothing');
    expect(said).toEqual([]);
  });

  test('refuses a request without amount, ways or time as L3 does', async () => {
    await call('perform', encodePerform({ cardWays: EVERY_WAY, timeoutSeconds: 30, objects: [] }));
    expect(await performed()).toMatchObject({ result: RESULTS.terminated, error: ERRORS.tagAbsent.code });
    await perform({ ways: 0 });
    expect(await performed()).toMatchObject({ error: ERRORS.param.code });
  });

  test('asks its host for the terms of a PIN, and enciphers under the key that it names alone', async () => {
    const terms = (slot: number, lengths = Buffer.of(0, 4)) =>
      encodeCallbackAnswer({
        result: 0,
        objects: [
          tlv(TAGS.pinKeySystem, Buffer.of(KEY_SYSTEMS.dukpt)),
          tlv(TAGS.pinKeySlot, Buffer.of(slot)),
          tlv(TAGS.pinLengths, lengths),
          tlv(TAGS.pinTimeout, Buffer.of(20)),
        ],
      });
    const untilPin = async (): Promise<void> => {
      await perform({ flags: CALLBACK_FLAGS.getPin });
      give('mastercard-debit-pin', 'insert');
      expect(await callback()).toEqual([CALLBACKS.getPin, PIN_TYPES.online]);
      expect(twin.front.want).toBe('nothing');
    };
    await untilPin();
    await call('callback', terms(7));
    expect(await performed()).toMatchObject({ error: ERRORS.param.code });
    twin.front.remove();
    await untilPin();
    await call('callback', terms(PIN_SLOT));
    expect(twin.front.want).toBe('pin');
    twin.front.enterPin({ kind: 'digits', digits: Buffer.from('1234') });
    const { objects } = await performed();
    expect(findTlv(objects, TAGS.pinBlock)).toHaveLength(8);
    expect(twin.frames.at(-1)?.text).toContain(`${TAGS.pinBlock}=***`);
    await call('terminate');
    await answerOf('terminate');
    twin.front.remove();
    await untilPin();
    await call('callback', terms(PIN_SLOT));
    expect(await reply('38')).toBe('00');
    expect(await performed()).toMatchObject({ error: ERRORS.cancel.code });
  });

  test.each([
    ['skips the PIN', ERRORS.skipPin.code, { result: RESULTS.online }],
    ['ends the sale', ERRORS.cancel.code, { error: ERRORS.cancel.code }],
    ['ends the sale by any other error', ERRORS.param.code, { error: ERRORS.fail.code }],
  ])('a host that answers the question for a PIN by an error %s', async (_, result, expected) => {
    await perform({ flags: CALLBACK_FLAGS.getPin });
    give('mastercard-debit-pin', 'insert');
    await callback();
    await call('callback', encodeCallbackAnswer({ result, objects: [] }));
    expect(await performed()).toMatchObject(expected);
  });

  test('gives up a host that does not answer its question', async () => {
    await perform({ flags: CALLBACK_FLAGS.getPin });
    give('mastercard-debit-pin', 'insert');
    await callback();
    await call('callback', Buffer.of(0xff, 0));
    await clock.advance(10_000);
    expect(await performed()).toMatchObject({ result: RESULTS.terminated, error: ERRORS.timeout.code });
  });

  test('decides offline below the floor limit that the host sets for the application', async () => {
    await perform({ flags: CALLBACK_FLAGS.afterFinalSelect });
    give('maestro-offline-approved', 'insert');
    const asked = await callback();
    expect(asked.slice(0, 4)).toEqual([CALLBACKS.afterFinalSelect, 1, 0, 7]);
    const floor = encodeTlv([tlv('9F1B', Buffer.from('00001388', 'hex'))]);
    await call('callback', encodeCallbackAnswer({ result: 0, objects: decodeTlv(floor) }));
    for (let turn = 0; twin.front.want !== 'pin' && turn < 200; turn += 1) await settle();
    const pin = twin.front.given?.definition.pin ?? '';
    twin.front.enterPin({ kind: 'digits', digits: Buffer.from(pin) });
    expect(await performed()).toMatchObject({ result: RESULTS.approved });
  });

  test('asks for the chip of a swiped chip card, and for the stripe of a chip that is mute', async () => {
    const flags = CALLBACK_FLAGS.notification;
    await perform({ flags });
    await callback();
    give('visa-credit-online', 'swipe');
    await callback();
    expect(await callback()).toEqual(presentCard(PRESENT_CARD.useChip));
    expect([...twin.front.accepts].sort()).toEqual(['insert', 'tap']);
    give('chip-broken-fallback', 'insert');
    await callback();
    await settle();
    expect(twin.front.want).toBe('removal');
    twin.front.remove();
    expect(await callback()).toEqual(presentCard(PRESENT_CARD.fallbackToStripe));
    give('chip-broken-fallback', 'swipe');
    await callback();
    const { objects } = await performed();
    expect(findTlv(objects, '9F39')).toEqual(Buffer.of(ENTRY_MODES.fallback));
  });

  test('asks again after two cards at once', async () => {
    await perform({ flags: CALLBACK_FLAGS.notification });
    await callback();
    give('visa-contactless', 'tap', true);
    expect(await callback()).toEqual(processing(2));
    expect(await callback()).toEqual(presentCard(PRESENT_CARD.presentAgain));
    give('visa-contactless', 'tap');
    await callback();
    expect(await performed()).toMatchObject({ result: RESULTS.online });
  });

  test('tells of a card in its slot, and asks for it to be taken out', async () => {
    expect(await reply('BM', Buffer.from('REMOVE'))).toBe('00\u0000');
    await perform();
    give('visa-credit-online', 'insert');
    await performed();
    await call('terminate');
    await answerOf('terminate');
    expect(await reply('BM', Buffer.from('REMOVE'))).toBe('00\u0001');
    expect(twin.front.want).toBe('removal');
    twin.front.remove();
    await settle();
    expect(await reply('BM', Buffer.from('REMOVE'))).toBe('00\u0000');
  });

  test('the card of the sale before is not taken for the next', async () => {
    await perform();
    give('visa-credit-online', 'insert');
    await performed();
    await call('terminate');
    await answerOf('terminate');
    await perform({ flags: CALLBACK_FLAGS.notification });
    expect(await callback()).toEqual(presentCard(PRESENT_CARD.presentAgain));
    expect(twin.front.want).toBe('removal');
    twin.front.remove();
    expect(await callback()).toEqual(presentCard(PRESENT_CARD.stripeInsertTap));
  });

  test('forgets what ran when its power fails', async () => {
    await perform();
    twin.reset();
    await settle();
    expect(twin.front.want).toBe('nothing');
    expect(await reply('90')).toMatch(/^P180/);
    expect(said).toEqual([]);
  });
});
