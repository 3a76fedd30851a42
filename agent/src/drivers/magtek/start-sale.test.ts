import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, findTemplate, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { commandOf } from '@tillbridge/wire/terminals/magtek/commands.js';
import {
  decodeMessage,
  encodeNotification,
  encodeResponse,
  type MmsRequest,
  readParameters,
} from '@tillbridge/wire/terminals/magtek/message.js';
import { encodeSlip, INITIAL_SLIP_STATE, parseSlip } from '@tillbridge/wire/terminals/magtek/slip.js';
import { decodeStart } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import { STATUSES, SUMMARIES } from '@tillbridge/wire/terminals/magtek/statuses.js';
import { CARD_TYPES, FALLBACK_INDICATORS } from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StartRequest } from '../core/driver.js';
import { testSale } from '../core/test-driver.test.support.js';
import { MmsLink } from './link.js';
import { Notices } from './notices.js';
import { exampleRequest } from './object-example.test.support.js';
import { type StartedSale, startSale } from './start-sale.js';

// What devices may do where the public text leaves it open, in raw frames over SLIP.

const CARD_TIMEOUT_MS = 60_000;
const STARTED = { summary: SUMMARIES.started, detail: 0 };
const DONE = { summary: SUMMARIES.done, detail: 0 };
const refused = (name: 'noTransaction' | 'badParameter') => ({
  summary: SUMMARIES.notStarted,
  detail: STATUSES[name].code,
});

let clock: VirtualClock;
let device: BytePipe;
let link: MmsLink;
let requests: MmsRequest[];
let stopped: boolean;
let steps: string[];

beforeEach(() => {
  clock = new VirtualClock();
  requests = [];
  steps = [];
  stopped = false;
  const [line, far] = memoryPipe();
  device = far;
  link = new MmsLink(line, 'serial', clock);
  let state = INITIAL_SLIP_STATE;
  device.onData((bytes) => {
    const parsed = parseSlip(state, bytes, 'to-device');
    state = parsed.state;
    for (const event of parsed.events) {
      const message = event.kind === 'message' && decodeMessage(event.bytes);
      if (!(message && message.kind === 'request')) continue;
      // A question whether it is there: the device answers at once, also while a transaction runs.
      if (commandOf(message.command) === 'getProperty') void respond(message, DONE);
      else requests.push(message);
    }
  });
});

const REQUEST: StartRequest = {
  kind: 'sale',
  amount: { minor: 1_234, currency: 'EUR' },
  date: '261120',
  time: '101530',
  transactionSequenceNumber: 7,
  risk: {
    floorLimitMinor: 0,
    randomSelectionThresholdMinor: 0,
    randomSelectionTargetPercent: 0,
    randomSelectionMaxPercent: 0,
  },
  cardTimeoutMs: CARD_TIMEOUT_MS,
};

/** Begins a sale on a device with a screen. */
function sell(keyedIn = true): Promise<StartedSale> {
  return startSale({
    link,
    notices: new Notices(link, clock),
    device: { keyedIn, pinFormat: 0 },
    ...testSale(REQUEST, { progress: ({ step }) => steps.push(step), stopped: () => stopped }),
  });
}

/** The next command, answered. */
async function answer(status: { readonly summary: number; readonly detail: number }): Promise<MmsRequest> {
  await settle();
  const request = requests.shift();
  if (!request) throw new Error('no command came');
  await respond(request, status);
  await settle();
  return request;
}

function respond(
  { reference, command }: MmsRequest,
  status: { readonly summary: number; readonly detail: number },
): Promise<void> {
  const response = encodeResponse(
    { reference, command, status, parameters: Buffer.alloc(0) },
    { bare: true },
  );
  return device.write(encodeSlip('to-host', response));
}

async function tell(id: number, detail: string, object?: Uint8Array): Promise<void> {
  const payload = object ? Buffer.concat([fromHex('0101'), encodeTlv([tlv('84', object)])]) : Buffer.alloc(0);
  await device.write(encodeSlip('to-host', encodeNotification({ id, detail, payload })));
  await settle();
}

const readersOf = ({ parameters }: MmsRequest) => {
  const { magstripe, contact, contactless, manual, rightButton } = decodeStart(parameters);
  return { readers: magstripe && contact && contactless, manual: manual !== undefined, rightButton };
};
const BUTTON = 0x0023;
const KEYED_IN = exampleRequest(CARD_TYPES.manual, FALLBACK_INDICATORS.none, [
  tlv('DFDF33', Buffer.from(';420000******0075=*************?')),
]);

describe('a card number that is keyed in', () => {
  test.each([
    ['has ended by itself', refused('noTransaction'), false],
    ['runs on until it is stopped, which is reported at once', DONE, false],
    ['runs on until it is stopped, which is reported late', DONE, true],
  ])('is requested when the button was touched and the transaction %s', async (_, cancelled, late) => {
    const sale = sell();
    expect(readersOf(await answer(STARTED))).toEqual({ readers: true, manual: false, rightButton: BUTTON });
    await tell(0x1803, '01050000');
    expect(commandOf((await answer(cancelled)).command)).toBe('cancelTransaction');
    if (!late) await tell(0x0105, '00030100');
    expect(readersOf(await answer(STARTED))).toEqual({
      readers: false,
      manual: true,
      rightButton: undefined,
    });
    if (late) await tell(0x0105, '00030100');
    await tell(0x0101, '07010100');
    await tell(0x0101, '07080202', KEYED_IN);
    const { outcome, request: waits } = await sale;
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: { facts: { entryMode: 'MANUAL', bin: '420000', last4Digits: '0075' } },
    });
    expect(waits).toBeUndefined();
    expect(steps).toEqual(['waiting-for-card', 'waiting-for-card', 'reading-card']);
  });

  test('has the time of a card for each of its pages, and times out without an entry', async () => {
    const sale = sell();
    await answer(STARTED);
    await tell(0x1803, '01050000');
    await answer(refused('noTransaction'));
    await answer(STARTED);
    await clock.advance(2.5 * CARD_TIMEOUT_MS);
    await tell(0x0105, '00010000');
    expect(await sale).toEqual({ outcome: { kind: 'cancelled', by: 'timeout' } });
  });

  test('is not requested when the till stopped meanwhile', async () => {
    const sale = sell();
    await answer(STARTED);
    await tell(0x1803, '01050000');
    stopped = true;
    await answer(refused('noTransaction'));
    expect(await sale).toEqual({ outcome: { kind: 'cancelled', by: 'till' } });
    expect(requests).toEqual([]);
  });

  test('ends when the till or the cardholder cancels the entry', async () => {
    for (const [detail, by] of [
      ['00030100', 'till'],
      ['00030200', 'cardholder'],
    ] as const) {
      stopped = false;
      const sale = sell();
      await answer(STARTED);
      await tell(0x1803, '01050000');
      await answer(refused('noTransaction'));
      await answer(STARTED);
      stopped = by === 'till';
      await tell(0x0105, detail);
      expect(await sale).toEqual({ outcome: { kind: 'cancelled', by } });
    }
  });

  test('that the device reads wrong is an error of the card', async () => {
    const sale = sell();
    await answer(STARTED);
    await tell(0x1803, '01050000');
    await answer(refused('noTransaction'));
    await answer(STARTED);
    await tell(0x0105, '07030500');
    expect(await sale).toMatchObject({ outcome: { kind: 'failed', failure: 'card-error' } });
  });
});

describe('the button for it', () => {
  test('is left out where the firmware does not know it', async () => {
    const sale = sell();
    expect(readersOf(await answer(refused('badParameter')))).toMatchObject({ rightButton: BUTTON });
    const again = await answer(STARTED);
    expect(readersOf(again)).toEqual({ readers: true, manual: false, rightButton: undefined });
    expect(findTemplate(readParameters(again.parameters), 'AC')).toBeUndefined();
    await tell(0x0105, '00010000');
    expect(await sale).toEqual({ outcome: { kind: 'cancelled', by: 'timeout' } });
  });

  test('is not on a device without a screen', async () => {
    const sale = sell(false);
    expect(readersOf(await answer(STARTED))).toEqual({
      readers: true,
      manual: false,
      rightButton: undefined,
    });
    // A touch of a button that is not there is nothing.
    await tell(0x1803, '01050000');
    await tell(0x0105, '00030200');
    expect(await sale).toEqual({ outcome: { kind: 'cancelled', by: 'cardholder' } });
  });
});
