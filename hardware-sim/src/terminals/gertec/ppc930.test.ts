import { fromHex } from '@tillbridge/protocol/bytes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  tdesCounter,
  workingKey,
} from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { decodePinBlock } from '@tillbridge/protocol/crypto/pin-block.js';
import { tdesDecryptCbc, tdesDecryptEcb } from '@tillbridge/protocol/crypto/tdes.js';
import { developmentKey } from '@tillbridge/protocol/crypto/test-keys.js';
import { cryptogramType } from '@tillbridge/protocol/emv/cid.js';
import { decodeTlv, encodeTlv, findTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/protocol/seams/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { decodeAccountData } from '@tillbridge/protocol/terminals/abecs/account-data.js';
import { displayMessage, encodeClassicRequest } from '@tillbridge/protocol/terminals/abecs/classic.js';
import { FieldReader, type FieldValues, fields } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import { FIELDS, familyId } from '@tillbridge/protocol/terminals/abecs/fields.js';
import {
  ACK,
  CAN,
  EOT,
  encodePacket,
  INITIAL_FRAME_STATE,
  NAK,
  parseFrames,
} from '@tillbridge/protocol/terminals/abecs/framing.js';
import {
  decodeResponseMessage,
  encodeCommandMessage,
  type ResponseMessage,
} from '@tillbridge/protocol/terminals/abecs/message.js';
import { decodeParameters, encodeParameters } from '@tillbridge/protocol/terminals/abecs/parameters.js';
import { encodeRiskParameters } from '@tillbridge/protocol/terminals/abecs/risk-parameters.js';
import {
  type AidFields,
  packTableRecords,
  type TableRecord,
} from '@tillbridge/protocol/terminals/abecs/tables.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { CardBox } from '../../cards/card-box.js';
import type { CardState } from '../../cards/card-state.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { cryptogramIsTrue, issuerAuthenticationData } from '../../kernel/issuer.test.support.js';
import { memorySlot, type StateSlot } from '../../state/state-slot.js';
import { AutoCardholder } from '../auto-cardholder.js';
import type { DukptState } from '../dukpt-device.js';
import type { Presentation } from '../terminal-front.js';
import { Ppc930 } from './ppc930.js';

const PIN_KSN = fromHex('FFFF987600000000E000').fill(0, 7);
const DATA_KSN = fromHex('FFFF987700000000E000').fill(0, 7);
const KEY_INDEX = '01';
const ICC_TAGS = '829F369F269F279F109F37959A9C9F029F035F2A9F1A9F345F349F24';

const AID: AidFields = {
  T1_AIDLEN: '07',
  T1_AID: 'A0000000031010',
  T1_APPTYPE: '01',
  T1_DEFLABEL: 'VISA',
  T1_ICCSTD: '03',
  T1_APPVER1: '0096',
  T1_APPVER2: '0002',
  T1_APPVER3: '0000',
  T1_TRMCNTRY: '276',
  T1_TRNCURR: '978',
  T1_TRNCRREXP: '2',
  T1_MERCHID: 'MERCHANT',
  T1_MCC: '5999',
  T1_TRMID: '00001001',
  T1_TRMCAPAB: 'E0F8C8',
  T1_ADDTRMCP: '6000F0A001',
  T1_TRMTYP: '22',
  T1_TACDEF: '5840000000',
  T1_TACDEN: '0010000000',
  T1_TACONL: '584004F800',
  T1_FLRLIMIT: '00000000',
  T1_TCC: 'R',
  T1_CTLSZEROAM: '1',
  T1_CTLSMODE: '2',
  T1_CTLSTRNLIM: '000F4240',
  T1_CTLSFLRLIM: '00000000',
  T1_CTLSCVMLIM: '00001388',
  T1_CTLSAPPVER: '0000',
  T1_RUF1: '0',
  T1_TDOLDEF: '9F0206',
  T1_DDOLDEF: '9F3704',
  T1_ARCOFFLN: 'Y1Z1Y3Z3',
  T1_CTLSTACDEF: '0000000000',
  T1_CTLSTACDEN: '0000000000',
  T1_CTLSTACONL: '0000000000',
  T1_CTLSTRMCP: 'E0F8C8',
  T1_MOBCVM: '0',
  T1_CTLSADDTC: '6000F0A001',
  T1_CTLSMBTLIM: '000F4240',
  T1_CTLSISSSCR: '0',
};
const RECORDS: TableRecord[] = ['A0000000031010', 'A0000000041010', 'A0000000043060'].map((aid, at) => ({
  table: 'aid',
  acquirer: '01',
  index: String(at + 1).padStart(2, '0'),
  fields: { ...AID, T1_AID: aid, T1_CTLSMODE: at === 0 ? '2' : '0' },
}));

/** The host's end of the line: collects everything that the device sends. */
class Host {
  readonly controls: number[] = [];
  readonly messages: ResponseMessage[] = [];
  readonly #pipe: BytePipe;
  #frames = INITIAL_FRAME_STATE;
  #waiters: (() => void)[] = [];

  constructor(pipe: BytePipe) {
    this.#pipe = pipe;
    pipe.onData((bytes) => {
      const { state, events } = parseFrames(this.#frames, bytes);
      this.#frames = state;
      for (const event of events) {
        if (event.kind === 'packet') this.messages.push(decodeResponseMessage(event.data));
        else if (event.kind === 'ack') this.controls.push(ACK);
        else if (event.kind === 'nak') this.controls.push(NAK);
        else if (event.kind === 'eot') this.controls.push(EOT);
      }
      for (const wake of this.#waiters.splice(0)) wake();
    });
  }

  raw(bytes: Uint8Array): Promise<void> {
    return this.#pipe.write(bytes);
  }

  async send(id: string, blocks: readonly Uint8Array[] = []): Promise<void> {
    await this.raw(encodePacket(encodeCommandMessage({ id, blocks })));
  }

  /** The next message that is no notification. */
  async answer(): Promise<ResponseMessage> {
    for (;;) {
      const message = this.messages.shift();
      if (message && message.id !== 'NTM') return message;
      if (!message) await this.#next();
    }
  }

  async notification(): Promise<ResponseMessage> {
    for (;;) {
      const message = this.messages.shift();
      if (message?.id === 'NTM') return message;
      if (!message) await this.#next();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  async call(id: string, blocks: readonly Uint8Array[] = []): Promise<ResponseMessage> {
    await this.send(id, blocks);
    return this.answer();
  }

  async abecs(id: string, values: FieldValues): Promise<{ status: number; fields: FieldReader }> {
    const { status, blocks } = await this.call(id, encodeParameters(fields(values)));
    return { status, fields: new FieldReader(decodeParameters(blocks)) };
  }
}

let clock: VirtualClock;
let host: Host;
let device: Ppc930;
let box: CardBox;
let cardSlots: Map<string, StateSlot<CardState>>;
let pinSlot: StateSlot<DukptState>;
let hostPipe: BytePipe;

beforeEach(async () => {
  clock = new VirtualClock(Date.UTC(2026, 10, 20));
  cardSlots = new Map();
  box = new CardBox((name) => {
    const slot = cardSlots.get(name) ?? memorySlot<CardState>();
    cardSlots.set(name, slot);
    return slot;
  });
  pinSlot = memorySlot();
  device = new Ppc930({
    id: '1001',
    serial: 'G0001001',
    clock,
    random: { bytes: (length) => new Uint8Array(length).fill(0x42) },
    presentAheadMs: 30_000,
    pinKey: { index: 1, initialKsn: PIN_KSN, slot: pinSlot },
    dataKey: { index: 1, initialKsn: DATA_KSN, slot: memorySlot() },
    tables: memorySlot(),
    counters: memorySlot(),
    onFault: (error) => {
      throw error;
    },
  });
  const [hostEnd, deviceEnd] = memoryPipe();
  hostPipe = hostEnd;
  host = new Host(hostEnd);
  device.attach(deviceEnd);
});

async function loadTables(): Promise<void> {
  const version = { TLI_ACQIDX: '00', TLI_TABVER: 'TEST000001' };
  await host.call('TLI', [encodeClassicRequest('TLI', version)]);
  for (const block of packTableRecords(RECORDS)) expect((await host.call('TLR', [block])).status).toBe(0);
  expect((await host.call('TLE')).status).toBe(0);
}

function give(name: string, how: PresentMode): Presentation {
  const taken = box.take(name);
  if (!taken) throw new Error(`no card ${name}`);
  const presentation = { ...taken, how };
  device.front.present(presentation);
  return presentation;
}

const GCX: FieldValues = {
  SPE_AMOUNT: '000000001234',
  SPE_TRNDATE: '261120',
  SPE_TRNTIME: '120000',
  SPE_GCXOPT: '10000',
  SPE_PANMASK: '0604',
  SPE_TIMEOUT: 30,
};
const GOX: FieldValues = {
  SPE_ACQREF: '01',
  SPE_AMOUNT: '000000001234',
  SPE_MTHDPIN: '3',
  SPE_KEYIDX: KEY_INDEX,
  SPE_TRMPAR: encodeRiskParameters({
    floorLimitMinor: 0,
    targetPercent: 0,
    thresholdMinor: 0,
    maxTargetPercent: 0,
  }),
  SPE_TAGLIST: fromHex(ICC_TAGS),
};

function objectsOf(reader: FieldReader) {
  const nodes = decodeTlv(reader.bytes('PP_EMVDATA') ?? Buffer.alloc(0));
  return (tag: string) => findTlv(nodes, tag);
}

function dukptKey(bdk: 'bdkPin' | 'bdkData', ksn: Uint8Array) {
  return deriveTransactionKey(deriveInitialKey(developmentKey(bdk), ksn), ksn);
}

describe('link', () => {
  test('a packet is confirmed and answered; the answer is repeated on NAK', async () => {
    const answer = await host.call('OPN');
    expect(answer).toMatchObject({ id: 'OPN', status: 0 });
    expect(host.controls).toEqual([ACK]);
    await host.raw(Buffer.from([NAK]));
    expect(await host.answer()).toEqual(answer);
  });

  test('a damaged packet is refused once the line is silent, and obeyed when it comes again', async () => {
    const packet = encodePacket(encodeCommandMessage({ id: 'OPN', blocks: [] }));
    const damaged = Buffer.from(packet);
    damaged[packet.length - 1] = (damaged[packet.length - 1] ?? 0) ^ 0xff;
    await host.raw(damaged);
    await clock.advance(499);
    expect(host.controls).toEqual([]);
    await clock.advance(1);
    expect(host.controls).toEqual([NAK]);
    await host.raw(packet);
    expect((await host.answer()).id).toBe('OPN');
  });

  test('a packet that stops midway is refused after the silence between bytes', async () => {
    await host.raw(Buffer.from('\x16OP', 'latin1'));
    await clock.advance(2_000);
    expect(host.controls).toEqual([NAK]);
    expect((await host.call('OPN')).status).toBe(0);
  });

  test('a packet cut into single bytes is one packet', async () => {
    for (const byte of encodePacket(encodeCommandMessage({ id: 'OPN', blocks: [] })))
      await host.raw(Uint8Array.of(byte));
    expect((await host.answer()).id).toBe('OPN');
  });

  test('CAN is always answered with EOT and ends a blocking command without an answer', async () => {
    await host.raw(Buffer.from([CAN]));
    await settle();
    expect(host.controls).toEqual([EOT]);
    await loadTables();
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    expect(device.front.state).toBe('waiting-card');
    await host.raw(Buffer.from([CAN]));
    await settle();
    expect(host.controls.at(-1)).toBe(EOT);
    expect(device.front.state).toBe('idle');
    expect(host.messages).toEqual([]);
  });

  test('another command ends a blocking one, too', async () => {
    await loadTables();
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    expect((await host.call('OPN')).id).toBe('OPN');
    expect(device.front.want).toBe('nothing');
  });

  test('an unknown command is answered ERR, a malformed one under its own name', async () => {
    expect(await host.call('XYZ')).toMatchObject({ id: 'ERR', status: 10 });
    await host.raw(encodePacket(Buffer.from('GIX999ab', 'latin1')));
    expect(await host.answer()).toMatchObject({ id: 'GIX', status: 11 });
    expect(await host.call('GCX', encodeParameters(fields({ SPE_AMOUNT: '1' })))).toMatchObject({
      id: 'GCX',
      status: 19,
    });
  });
});

describe('control and tables', () => {
  test('GIX tells serial, keys and table version', async () => {
    await loadTables();
    const ids = Buffer.alloc(8);
    for (const [at, id] of [
      FIELDS.PP_SERNUM.id,
      FIELDS.PP_DKPTTDESP.id,
      familyId('PP_KSNTDESP', 1),
      familyId('PP_TABVER', 0),
    ].entries()) {
      ids.writeUInt16BE(id, at * 2);
    }
    const { fields: info } = await host.abecs('GIX', { SPE_IDLIST: ids });
    expect(info.text('PP_SERNUM')).toBe('G0001001');
    expect(info.text('PP_DKPTTDESP')?.slice(0, 3)).toBe('010');
    expect(info.raw(familyId('PP_KSNTDESP', 1))).toEqual(PIN_KSN);
    expect(info.raw(familyId('PP_TABVER', 0))?.toString()).toBe('TEST000001');
  });

  test('GIX without a list gives the general information', async () => {
    const { status, fields: info } = await host.abecs('GIX', {});
    expect(status).toBe(0);
    expect(info.text('PP_SPECVER')).toBe('2.12');
    expect(info.text('PP_CAPAB')).toHaveLength(10);
  });

  test('a load is current only after TLE; TLR and TLE need TLI; a new version is told', async () => {
    const gts = async () => (await host.call('GTS', [Buffer.from('00')])).blocks[0]?.toString();
    expect((await host.call('TLE')).status).toBe(10);
    expect((await host.call('TLR', packTableRecords(RECORDS).slice(0, 1))).status).toBe(10);
    const tli = encodeClassicRequest('TLI', { TLI_ACQIDX: '00', TLI_TABVER: 'NEWVERSION' });
    expect((await host.call('TLI', [tli])).status).toBe(20);
    expect(await gts()).toBe('0000000000');
    expect((await host.call('TLE')).status).toBe(0);
    expect(await gts()).toBe('NEWVERSION');
    expect((await host.call('TLI', [tli])).status).toBe(0);
  });

  test('displays show what the host sends', async () => {
    await host.call('DSP', [Buffer.from(displayMessage('Hello', 'world'), 'latin1')]);
    expect(device.front.screen).toEqual(['Hello', 'world']);
    await host.call('DEX', [Buffer.from('005ab\rcd', 'latin1')]);
    expect(device.front.screen).toEqual(['ab', 'cd']);
    await host.abecs('CLX', { SPE_DSPMSG: 'bye' });
    expect(device.front.screen).toEqual(['bye']);
  });
});

describe('a chip sale', () => {
  beforeEach(loadTables);

  async function toGox(name: string, how: PresentMode = 'insert', gox: FieldValues = GOX) {
    give(name, how);
    const card = await host.abecs('GCX', GCX);
    expect(card.status).toBe(0);
    return { card: card.fields, gox: await host.abecs('GOX', gox) };
  }

  test('online: masked card, enciphered track, true ARQC, TC, removal', async () => {
    const { card, gox } = await toGox('visa-credit-online');
    expect(card.text('PP_CARDTYPE')).toBe('03');
    expect(card.text('PP_PAN')).toBe('420000******0000');
    expect(card.text('PP_AIDTABINFO')).toBe('010101');
    expect(gox.fields.text('PP_GOXRES')?.[0]).toBe('2');
    expect(device.front.state).toBe('online');
    const objects = objectsOf(gox.fields);
    expect(cryptogramIsTrue('4200000000000000', objects)).toBe(true);

    const gtk = await host.abecs('GTK', { SPE_TRACKS: '0010', SPE_MTHDDAT: '51', SPE_KEYIDX: KEY_INDEX });
    const ksn = gtk.fields.bytes('PP_TRK2KSN') ?? Buffer.alloc(10);
    const key = workingKey(dukptKey('bdkData', ksn), 'dataRequest');
    const clear = tdesDecryptCbc(key, Buffer.alloc(8), gtk.fields.bytes('PP_TRACK2') ?? Buffer.alloc(0));
    expect(decodeAccountData(clear)).toMatchObject({
      pan: '4200000000000000',
      expiry: '3112',
      serviceCode: '201',
    });
    expect((await host.abecs('GTK', { SPE_MTHDDAT: '51', SPE_KEYIDX: KEY_INDEX })).status).toBe(10);

    const answer = issuerAuthenticationData('4200000000000000', objects, '00');
    const fcx = await host.abecs('FCX', {
      SPE_FCXOPT: '0000',
      SPE_ARC: '00',
      SPE_EMVDATA: encodeTlv([tlv('91', answer)]),
      SPE_TAGLIST: fromHex('9F279F269F36'),
    });
    expect(fcx.fields.text('PP_FCXRES')).toBe('000');
    expect(cryptogramType(objectsOf(fcx.fields)('9F27')?.[0] ?? 0)).toBe('TC');
    expect((await host.abecs('FCX', { SPE_FCXOPT: '2000' })).status).toBe(10);

    await host.send('RMC', [Buffer.from(displayMessage('Approved'), 'latin1')]);
    await settle();
    expect(device.front.state).toBe('removing');
    expect(device.front.screen).toContain('RETIRE O CARTAO');
    device.front.remove();
    expect((await host.answer()).id).toBe('RMC');
    expect(device.front).toMatchObject({ state: 'idle', screen: ['Approved', ''] });
  });

  test('protected objects are never given by tag list', async () => {
    give('visa-credit-online', 'insert');
    const card = await host.abecs('GCX', { ...GCX, SPE_TAGLIST: fromHex('5A575F24') });
    expect(card.fields.bytes('PP_EMVDATA')).toEqual(fromHex('5F2403311231'));
    const ged = await host.abecs('GED', { SPE_TAGLIST: fromHex('579F24') });
    expect(objectsOf(ged.fields)('57')).toBeUndefined();
    expect(objectsOf(ged.fields)('9F24')).toHaveLength(29);
  });

  test('online PIN: the operator is told, the PIN block opens under the next key alone', async () => {
    give('mastercard-debit-pin', 'insert');
    expect((await host.abecs('GCX', GCX)).status).toBe(0);
    await host.send('GOX', encodeParameters(fields(GOX)));
    expect(Buffer.from((await host.notification()).blocks[0] ?? []).toString()).toContain('SOLICITE A SENHA');
    expect(device.front.state).toBe('waiting-pin');
    device.front.enterPin({ kind: 'digits', digits: Buffer.from('2468') });
    const gox = new FieldReader(decodeParameters((await host.answer()).blocks));
    expect(gox.text('PP_GOXRES')).toBe('202000');
    const ksn = gox.bytes('PP_KSN') ?? Buffer.alloc(10);
    expect(tdesCounter(ksn)).toBe(1);
    expect(pinSlot.read()?.ksn).toBe(ksn.toString('hex').toUpperCase());
    const key = workingKey(dukptKey('bdkPin', ksn), 'pin');
    const block = tdesDecryptEcb(key, gox.bytes('PP_PINBLK') ?? Buffer.alloc(0));
    expect(decodePinBlock(0, block, '5454545454545454').toString()).toBe('2468');
  });

  test.each([
    ['cancel', { kind: 'cancel' } as const, 13],
    ['removal', undefined, 43],
  ])('%s during PIN entry ends GOX', async (_, entry, status) => {
    give('mastercard-debit-pin', 'insert');
    await host.abecs('GCX', GCX);
    await host.send('GOX', encodeParameters(fields(GOX)));
    await host.notification();
    if (entry) device.front.enterPin(entry);
    else device.front.remove();
    expect((await host.answer()).status).toBe(status);
  });

  test('nobody at the PIN pad: ST_TIMEOUT; a key that is not there: ST_ERRKEY', async () => {
    give('mastercard-debit-pin', 'insert');
    await host.abecs('GCX', GCX);
    expect((await host.abecs('GOX', { ...GOX, SPE_KEYIDX: '07' })).status).toBe(42);
    await host.send('GOX', encodeParameters(fields(GOX)));
    await host.notification();
    await clock.advance(60_000);
    expect((await host.answer()).status).toBe(12);
  });

  test.each([
    ['visa-credit-online', '000', 'Y3'],
    ['mastercard-declined', '100', 'Z3'],
  ])('unable to go online: %s answers %s (%s)', async (name, result, code) => {
    const { gox } = await toGox(name);
    expect(gox.fields.text('PP_GOXRES')?.[0]).toBe('2');
    const fcx = await host.abecs('FCX', { SPE_FCXOPT: '2000', SPE_TAGLIST: fromHex('8A') });
    expect(fcx.fields.text('PP_FCXRES')).toBe(result);
    expect(Buffer.from(objectsOf(fcx.fields)('8A') ?? []).toString()).toBe(code);
  });

  test('a card that declines at once', async () => {
    const { gox } = await toGox('visa-offline-declined');
    expect(gox.fields.text('PP_GOXRES')?.[0]).toBe('1');
    const fcx = await host.abecs('FCX', { SPE_FCXOPT: '1000', SPE_ARC: 'Z1' });
    expect(fcx.fields.text('PP_FCXRES')).toBe('100');
  });

  test('GOX and FCX out of order, an acquirer that GCX did not name', async () => {
    expect((await host.abecs('GOX', GOX)).status).toBe(10);
    expect((await host.abecs('FCX', { SPE_FCXOPT: '2000' })).status).toBe(10);
    give('visa-credit-online', 'insert');
    await host.abecs('GCX', GCX);
    expect((await host.abecs('GOX', { ...GOX, SPE_ACQREF: '09' })).status).toBe(11);
    expect((await host.abecs('GOX', GOX)).status).toBe(0);
    expect((await host.abecs('GOX', GOX)).status).toBe(10);
    expect((await host.abecs('FCX', { SPE_FCXOPT: '0000' })).status).toBe(19);
  });

  test('a card pulled out before the second cryptogram: ST_NOCARD', async () => {
    await toGox('visa-credit-online');
    device.front.remove();
    expect((await host.abecs('FCX', { SPE_FCXOPT: '2000' })).status).toBe(43);
  });

  test('a tap: ARQC without a further card, the host’s word repeated', async () => {
    const { card, gox } = await toGox('visa-contactless', 'tap');
    expect(card.text('PP_CARDTYPE')).toBe('06');
    expect(gox.fields.text('PP_GOXRES')).toBe('200000');
    expect(cryptogramIsTrue('4200000000000018', objectsOf(gox.fields))).toBe(true);
    const fcx = await host.abecs('FCX', { SPE_FCXOPT: '0000', SPE_ARC: '00', SPE_TAGLIST: fromHex('9F26') });
    expect(fcx.fields.text('PP_FCXRES')).toBe('000');
    expect(fcx.fields.bytes('PP_EMVDATA')).toHaveLength(0);
  });
});

describe('cards that are refused or swiped', () => {
  beforeEach(loadTables);

  test.each([
    ['visa-blocked', 67],
    ['chip-broken-fallback', 60],
  ])('%s: status %i', async (name, status) => {
    give(name, 'insert');
    expect((await host.abecs('GCX', GCX)).status).toBe(status);
  });

  test('a mute chip allows the fallback to the stripe, once', async () => {
    give('chip-broken-fallback', 'insert');
    await host.abecs('GCX', GCX);
    device.front.remove();
    give('chip-broken-fallback', 'swipe');
    const swipe = await host.abecs('GCX', GCX);
    expect(swipe.fields.text('PP_CARDTYPE')).toBe('00');
    expect(swipe.fields.text('PP_ICCSTAT')).toBe('1');
    expect(swipe.fields.text('PP_TRK2INC')).toBe('420000******0083=3112201');
    give('chip-broken-fallback', 'swipe');
    expect((await host.abecs('GCX', GCX)).fields.text('PP_ICCSTAT')).toBe('0');
  });

  test('a PIN for a swiped card uses the PAN that the device remembers', async () => {
    give('magstripe-only', 'swipe');
    await host.abecs('GCX', GCX);
    device.front.enterPin({ kind: 'digits', digits: Buffer.from('1234') });
    const gpn = encodeClassicRequest('GPN', {
      GPN_METHOD: '3',
      GPN_KEYIDX: KEY_INDEX,
      GPN_WKENC: '0'.repeat(32),
      GPN_PANLEN: '00',
      GPN_PAN: '',
      GPN_ENTRIES: '1',
      GPN_MIN1: '04',
      GPN_MAX1: '12',
      GPN_MSG1: displayMessage('PIN'),
    });
    const answer = await host.call('GPN', [gpn]);
    const text = Buffer.from(answer.blocks[0] ?? []).toString();
    const block = tdesDecryptEcb(
      workingKey(dukptKey('bdkPin', fromHex(text.slice(16))), 'pin'),
      fromHex(text.slice(0, 16)),
    );
    expect(decodePinBlock(0, block, '4200000000000075').toString()).toBe('1234');
  });

  test('nobody gives a card in time', async () => {
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    await clock.advance(30_000);
    expect((await host.answer()).status).toBe(12);
  });
});

describe('people', () => {
  beforeEach(loadTables);

  test('a card given ahead of time is forgotten after its time', async () => {
    give('visa-credit-online', 'insert');
    await clock.advance(30_000);
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    expect(device.front.state).toBe('waiting-card');
  });

  test('a tap is refused where the host asked for chip or stripe', async () => {
    await host.send('GCX', encodeParameters(fields({ ...GCX, SPE_GCXOPT: '00000' })));
    await settle();
    expect(() => give('visa-contactless', 'tap')).toThrow('insert or swipe');
  });

  test('the simulated cardholder gives its card, enters its PIN and takes it back', async () => {
    const options = { clock, box, defaultCard: 'mastercard-debit-pin', delayMs: 300 };
    const holder = new AutoCardholder(device.front, options);
    await host.send('GCX', encodeParameters(fields(GCX)));
    await clock.advance(300);
    expect((await host.answer()).status).toBe(0);
    await host.send('GOX', encodeParameters(fields(GOX)));
    await clock.advance(300);
    const gox = await host.answer();
    expect(new FieldReader(decodeParameters(gox.blocks)).text('PP_GOXRES')).toBe('202000');
    await host.send('RMC', [Buffer.from(displayMessage('bye'), 'latin1')]);
    await clock.advance(300);
    expect((await host.answer()).id).toBe('RMC');
    holder.stop();
  });

  test('a given card wins over the default, and a mute one is swiped next', async () => {
    const options = { clock, box, defaultCard: 'visa-credit-online', delayMs: 300 };
    const holder = new AutoCardholder(device.front, options);
    give('chip-broken-fallback', 'insert');
    expect((await host.abecs('GCX', GCX)).status).toBe(60);
    await clock.advance(300);
    expect(device.front.inserted).toBeUndefined();
    await host.send('GCX', encodeParameters(fields(GCX)));
    await clock.advance(300);
    const answer = new FieldReader(decodeParameters((await host.answer()).blocks));
    expect(answer.text('PP_TRK2INC')).toContain('420000******0083');
    holder.stop();
  });
});

test('frames are kept decoded, without card data', async () => {
  await loadTables();
  give('visa-credit-online', 'insert');
  await host.abecs('GCX', { ...GCX, SPE_PANMASK: '0019' });
  await host.abecs('GOX', GOX);
  await host.abecs('GTK', { SPE_MTHDDAT: '51', SPE_KEYIDX: KEY_INDEX });
  const text = JSON.stringify(device.frames);
  expect(text).toContain('SPE_AMOUNT=000000001234');
  expect(text).toContain('PP_GOXRES=200000');
  expect(text).not.toContain('4200000000000000');
  expect(text).not.toMatch(/TILL/);
});

test('a power cycle forgets what runs and answers again', async () => {
  await loadTables();
  await host.send('GCX', encodeParameters(fields(GCX)));
  await settle();
  device.reset();
  await settle();
  expect(host.messages).toEqual([]);
  expect((await host.call('GTS', [Buffer.from('00')])).blocks[0]?.toString()).toBe('TEST000001');
});

test('a line that closes ends nothing; a new one is served', async () => {
  await hostPipe.close();
  await settle();
  const [hostEnd, deviceEnd] = memoryPipe('again');
  device.attach(deviceEnd);
  expect((await new Host(hostEnd).call('OPN')).status).toBe(0);
});
