import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import {
  decodeCallbackAnswer,
  encodeCallback,
  PIN_TYPES,
  PRESENT_CARD,
  UI_EVENTS,
} from '@tillbridge/wire/terminals/newland/callbacks.js';
import { encodeCoded } from '@tillbridge/wire/terminals/newland/commands.js';
import {
  DIALOG_FIELDS,
  decodeDialog,
  encodeDialogAnswer,
} from '@tillbridge/wire/terminals/newland/dialog.js';
import { ACK } from '@tillbridge/wire/terminals/newland/frame.js';
import {
  CLEAR,
  DATA_TYPES,
  decodeGetData,
  encodeKernelData,
  encodeTerminalConfig,
} from '@tillbridge/wire/terminals/newland/kernel-data.js';
import { encodeEncipheredPan } from '@tillbridge/wire/terminals/newland/masked-pan.js';
import {
  decodePerform,
  encodePerformAnswer,
  type PerformAnswer,
} from '@tillbridge/wire/terminals/newland/perform.js';
import { ERRORS, RESULTS } from '@tillbridge/wire/terminals/newland/statuses.js';
import { ENTRY_MODES, TAGS } from '@tillbridge/wire/terminals/newland/tags.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { supervisePort } from '../../ports/port-supervisor.js';
import type { DriverProgress, StartOutcome, StartRequest, TerminalDriver } from '../core/driver.js';
import { CANCEL_TIMEOUT_MS } from '../core/limits.js';
import { openTestDriver } from '../core/test-driver.test.support.js';
import { answer, fn, fromFunction, type PadRequest, ScriptedPad } from './scripted-pad.test.support.js';
import { openMaker } from './session.js';

// What the driver makes of a pad that does not do as the simulated device does.

const REQUEST: StartRequest = {
  kind: 'sale',
  amount: { minor: 1_234, currency: 'EUR' },
  date: '261120',
  time: '101530',
  transactionSequenceNumber: 7,
  risk: {
    floorLimitMinor: 5_000,
    randomSelectionThresholdMinor: 300,
    randomSelectionTargetPercent: 20,
    randomSelectionMaxPercent: 40,
  },
  cardTimeoutMs: 60_000,
};
const PAN = '4200000000000075';
const OK = encodeCoded('00');
const KSN = Buffer.from('FFFF9876543210E00001', 'hex');
const ICC = [
  tlv('9F02', Buffer.from('000000001234', 'hex')),
  tlv('9F21', Buffer.from('101530', 'hex')),
  tlv('9F26', Buffer.alloc(8, 1)),
  tlv('5A', Buffer.from(PAN, 'hex')),
];

let clock: VirtualClock;
let driver: TerminalDriver;
let pad: ScriptedPad;
let steps: DriverProgress[];
/** Objects that GET TLV LIST gives. */
let objects: readonly TlvNode[];
/** Bytes of the enciphered track. */
let trackBytes: number;
/** What the pad answers to PERFORM TRANSACTION. */
let onPerform: readonly Uint8Array[];
/** The answer to INPUT DIALOG. */
let dialog: Uint8Array | string;
/** Slots that have a key. */
let slots: ReadonlySet<number>;

const done = (body: Uint8Array): Buffer => Buffer.concat([OK, body]);

function getData(body: Buffer): Buffer {
  const { type, keySlot } = decodeGetData(body);
  const data =
    type === DATA_TYPES.pan
      ? encodeEncipheredPan(Buffer.alloc(32, 5), PAN)
      : type === DATA_TYPES.track2
        ? Buffer.alloc(trackBytes, 6)
        : Buffer.from('311231');
  return fromFunction('getData', done(encodeKernelData({ kind: 'data', data, actualBytes: 37 }, keySlot)));
}

function script({ key, body }: PadRequest): readonly Uint8Array[] {
  switch (key) {
    case '90':
      return [answer('90', 'P180\u00001.2')];
    case '38':
      return [answer('38', '00')];
    case '3C':
      return [Buffer.of(ACK)];
    case '6k':
      return [answer('6k', dialog)];
    case 'BM':
      return [answer('BM', '00\u0000')];
    case '34':
      return [answer('34', slots.has(body[0] ?? 0) ? done(KSN) : '01')];
    case '7g':
      return [answer('7g', slots.has(body[0] ?? 0) ? '00' : '01')];
    case fn('getTerminalConfig'): {
      const config = encodeTlv([tlv('9F1E', Buffer.from('N0000001'))]);
      return [fromFunction('getTerminalConfig', done(encodeTerminalConfig(config)))];
    }
    case fn('terminate'):
      return [fromFunction('terminate', OK)];
    case fn('initialise'):
      return [fromFunction('initialise', OK)];
    case fn('getData'):
      return [getData(body)];
    case fn('getTlvList'): {
      const data = encodeTlv(objects);
      const listed = encodeKernelData({ kind: 'data', data, actualBytes: data.length }, CLEAR);
      return [fromFunction('getTlvList', done(listed))];
    }
    case fn('perform'):
      return onPerform;
    default:
      return [];
  }
}

function ended(part: Partial<PerformAnswer>): Buffer {
  const whole = { result: RESULTS.terminated, verification: 0, error: 0, scheme: 0, objects: [], ...part };
  return fromFunction('perform', done(encodePerformAnswer(whole)));
}

const online = (mode: number, more: readonly TlvNode[] = []): Buffer =>
  ended({ result: RESULTS.online, objects: [tlv('9F39', Buffer.of(mode)), ...more] });
const present = fromFunction(
  'callback',
  encodeCallback({ kind: 'ui-event', event: UI_EVENTS.presentCard, data: Buffer.of(PRESENT_CARD.tap) }),
);
const processing = fromFunction(
  'callback',
  encodeCallback({ kind: 'ui-event', event: UI_EVENTS.processing, data: Buffer.alloc(0) }),
);
const getPin = fromFunction('callback', encodeCallback({ kind: 'get-pin', pinType: PIN_TYPES.online }));

const TICK_MS = 50;

async function pass<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  for (let tick = 0; tick < 10_000; tick += 1) {
    await settle();
    if (settled) return promise;
    await clock.advance(TICK_MS);
  }
  throw new Error('nothing came to an end');
}

beforeEach(async () => {
  clock = new VirtualClock(0);
  steps = [];
  objects = ICC;
  trackBytes = 48;
  onPerform = [];
  slots = new Set([1, 129]);
  dialog = '01';
  const port = supervisePort({
    clock,
    open: async () => {
      const [host, device] = memoryPipe();
      pad = new ScriptedPad(device, script);
      return host;
    },
  });
  driver = openTestDriver(openMaker, { port, clock });
  const ready = new Promise<void>((resolve) => {
    driver.onState((state) => {
      if (state === 'ready') resolve();
    });
  });
  await pass(ready);
});

afterEach(() => driver.close());

const start = (request: Partial<StartRequest> = {}): Promise<StartOutcome> =>
  pass(driver.start({ ...REQUEST, ...request }, (step) => steps.push(step)));

describe('a Newland driver', () => {
  test('identifies the pad by configuration and by its own answer', () => {
    expect(driver.identity).toEqual({
      maker: 'Newland',
      model: 'P180',
      firmware: 'P180 1.2',
      serial: 'N0000001',
    });
  });

  test('requests a sale, and only enciphered card data', async () => {
    onPerform = [present, online(ENTRY_MODES.chip)];
    const outcome = await start();
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: {
        facts: { entryMode: 'ICC', bin: '420000', last4Digits: '0075', expiry: '3112' },
        sred: { data: Buffer.alloc(48, 6), ksn: KSN },
      },
    });
    expect(JSON.stringify(outcome)).not.toContain('5A0842');
    const [request] = pad.of(fn('perform')).map(({ body }) => decodePerform(body));
    expect(request).toMatchObject({ timeoutSeconds: 60, cardWays: 15 });
    const requested = pad.of(fn('getData')).map(({ body }) => decodeGetData(body));
    expect(requested).toHaveLength(3);
    for (const { type, keySlot } of requested) {
      expect(keySlot, `type ${type}`).toBe(type === DATA_TYPES.expiry ? CLEAR : 129);
    }
    expect(steps.map(({ step }) => step)).toEqual(['waiting-for-card', 'reading-card']);
  });

  test('a pre-authorisation always goes to the issuer', async () => {
    onPerform = [present, online(ENTRY_MODES.chip)];
    await start({ kind: 'preauthorization' });
    const [request] = pad.of(fn('perform')).map(({ body }) => decodePerform(body));
    expect(findTlv(request?.objects ?? [], TAGS.forceOnline)).toEqual(Buffer.of(1));
  });

  test('sets floor limit and random selection for the application that was chosen', async () => {
    const selected = { kind: 'after-final-select', face: 1, aid: Buffer.alloc(7) } as const;
    onPerform = [present, fromFunction('callback', encodeCallback(selected)), online(ENTRY_MODES.chip)];
    await start();
    const [answered] = pad.of(fn('callback')).map(({ body }) => decodeCallbackAnswer(body));
    const hex = (tag: string) => Buffer.from(findTlv(answered?.objects ?? [], tag) ?? []).toString('hex');
    expect(['9F1B', TAGS.randomThreshold, TAGS.randomTargetPercent, TAGS.randomMaxPercent].map(hex)).toEqual([
      '00001388',
      '0000012c',
      '20',
      '40',
    ]);
  });

  test.each([
    ['the card was taken away', { error: ERRORS.removed.code }, 'card-removed'],
    ['no application', { error: ERRORS.noApplication.code }, 'application-not-supported'],
    ['another card', { result: RESULTS.tryAnother, error: ERRORS.collision.code }, 'card-error'],
    ['an unpublished error', { error: -599 }, 'internal'],
    ['an unpublished result', { result: 77 }, 'protocol-error'],
  ])('%s is a separate failure', async (_, end, failure) => {
    onPerform = [present, ended(end)];
    expect(await start()).toMatchObject({ kind: 'failed', failure });
  });

  test('a refused transaction, or one of another form, is no sale', async () => {
    onPerform = [fromFunction('perform', '01')];
    expect(await start()).toMatchObject({ failure: 'protocol-error', detail: expect.stringContaining('01') });
  });

  test('the answer of another sale is not taken', async () => {
    objects = [tlv('9F02', Buffer.from('000000009999', 'hex')), tlv('9F26', Buffer.alloc(8))];
    onPerform = [present, online(ENTRY_MODES.chip)];
    expect(await start()).toMatchObject({ failure: 'protocol-error' });
  });

  test('no data key, no sale', async () => {
    slots = new Set([1]);
    expect(await start()).toMatchObject({ failure: 'key-missing' });
    expect(pad.of(fn('perform'))).toEqual([]);
    expect(await pass(driver.status())).toMatchObject({ keys: { data: 'missing', pin: 'loaded' } });
  });

  test('no PIN key, no PIN', async () => {
    slots = new Set([129]);
    onPerform = [present, getPin, online(ENTRY_MODES.chip)];
    expect(await start()).toMatchObject({ kind: 'online-required' });
    const [answered] = pad.of(fn('callback')).map(({ body }) => decodeCallbackAnswer(body));
    expect(answered).toEqual({ result: ERRORS.skipPin.code, objects: [] });
  });

  test.each([
    ['of zeros is none', Buffer.alloc(8), { kind: 'online-required' }],
    ['comes with its key', Buffer.alloc(8, 3), { card: { pin: { data: Buffer.alloc(8, 3), ksn: KSN } } }],
    ['of another length is refused', Buffer.alloc(16, 3), { failure: 'protocol-error' }],
  ])('a PIN block %s', async (_, block, expected) => {
    onPerform = [present, online(ENTRY_MODES.chip, [tlv(TAGS.pinBlock, block)])];
    const outcome = await start();
    expect(outcome).toMatchObject(expected);
    if (block.every((byte) => byte === 0)) expect(outcome).not.toHaveProperty('card.pin');
  });

  test('card data that no field carries are refused', async () => {
    trackBytes = 1_040;
    onPerform = [present, online(ENTRY_MODES.magstripe)];
    expect(await start()).toMatchObject({ failure: 'data-too-long' });
  });

  test.each([
    [ENTRY_MODES.magstripe, 'MAGSTRIPE'],
    [ENTRY_MODES.fallback, 'MAGSTRIPE_AS_FALLBACK'],
    [ENTRY_MODES.contactless, 'NFC_ICC'],
  ])('entry mode %i is %s', async (mode, entryMode) => {
    onPerform = [present, online(mode)];
    expect(await start()).toMatchObject({ card: { facts: { entryMode } } });
  });

  test('a tap without a cryptogram is a magstripe, and an unknown way is no sale', async () => {
    objects = [];
    onPerform = [present, online(ENTRY_MODES.contactless)];
    expect(await start()).toMatchObject({ card: { facts: { entryMode: 'NFC_MAGSTRIPE' } } });
    await pass(driver.finish('THANK YOU'));
    onPerform = [present, online(0x55)];
    expect(await start()).toMatchObject({ failure: 'protocol-error' });
  });

  test('gives up a silent pad soon, and one that waits for a card when its time is over', async () => {
    const from = clock.monotonicMs();
    expect(await start()).toMatchObject({ failure: 'terminal-silent' });
    expect(clock.monotonicMs() - from).toBeLessThan(6_000);
    await pass(driver.finish('SORRY'));
    onPerform = [present];
    const again = clock.monotonicMs();
    expect(await start()).toMatchObject({ failure: 'terminal-silent' });
    expect(clock.monotonicMs() - again).toBeLessThan(66_000);
  });

  test('the till ends the wait for a card, and a PIN entry that begins afterwards', async () => {
    onPerform = [];
    const running = driver.start(REQUEST, () => undefined);
    for (let turn = 0; pad.of(fn('perform')).length === 0 && turn < 100; turn += 1) await settle();
    const cancels = pad.cancels;
    const stopping = driver.cancel();
    await settle();
    expect(pad.cancels).toBe(cancels);
    await pad.say(present);
    await settle();
    expect(pad.cancels).toBe(cancels + 1);
    await pad.say(getPin);
    await settle();
    const [answered] = pad.of(fn('callback')).map(({ body }) => decodeCallbackAnswer(body));
    expect(answered).toMatchObject({ result: ERRORS.cancel.code });
    await pad.say(ended({ error: ERRORS.cancel.code }));
    expect(await pass(running)).toEqual({ kind: 'cancelled', by: 'till' });
    await pass(stopping);
  });

  test.each([
    ['waits for a card', [present]],
    ['reads a card', [present, processing]],
    ['waits for a PIN', [present, getPin]],
  ])('the till gives a pad up soon that has fallen silent while it %s', async (_, script) => {
    onPerform = script;
    const running = driver.start(REQUEST, () => undefined);
    for (let turn = 0; pad.of(fn('perform')).length === 0 && turn < 100; turn += 1) await settle();
    await settle();
    pad.script = () => [];
    const since = clock.monotonicMs();
    await pass(driver.cancel());
    expect(clock.monotonicMs() - since).toBeLessThanOrEqual(CANCEL_TIMEOUT_MS + TICK_MS);
    expect(await running).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
  });

  test.each([
    ['an ARQC is given up', RESULTS.online, { kind: 'cancelled', by: 'till' }],
    ['an approval of the card stands', RESULTS.approved, { kind: 'approved-offline' }],
  ])('the till stopped while the card was read: %s', async (_, result, expected) => {
    const running = driver.start(REQUEST, () => undefined);
    for (let turn = 0; pad.of(fn('perform')).length === 0 && turn < 100; turn += 1) await settle();
    const stopping = driver.cancel();
    await pad.say(ended({ result, objects: [tlv('9F39', Buffer.of(ENTRY_MODES.chip))] }));
    expect(await pass(running)).toMatchObject(expected);
    await pass(stopping);
  });

  test('a card number that was keyed in needs its expiry, and is no sale without', async () => {
    onPerform = [
      present,
      ended({ error: ERRORS.manual.code, objects: [tlv('9F39', Buffer.of(ENTRY_MODES.manual))] }),
    ];
    expect(await start()).toMatchObject({ kind: 'failed', failure: 'card-error' });
    await pass(driver.finish('SORRY'));
    dialog = done(encodeDialogAnswer(new Map([[DIALOG_FIELDS.expiry, '3209']])));
    expect(await start()).toMatchObject({
      kind: 'online-required',
      card: { facts: { entryMode: 'MANUAL', expiry: '3209' }, iccData: Buffer.alloc(0) },
    });
    const fields = pad.of('6k').flatMap(({ body }) => decodeDialog(body).map(({ field }) => field));
    expect(fields).toEqual([DIALOG_FIELDS.expiry, DIALOG_FIELDS.expiry]);
  });

  test('an unsolicited callback is ignored', async () => {
    onPerform = [present, fromFunction('callback', Buffer.of(14, 0)), online(ENTRY_MODES.chip)];
    expect(await start()).toMatchObject({ kind: 'online-required' });
    expect(pad.of(fn('callback'))).toEqual([]);
  });
});
