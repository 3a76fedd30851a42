import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { EntryMode } from '../../drivers/core/driver.js';
import type { SaleAnswer } from '../../sale/machine/state/answer.js';
import { SaleHarness } from '../../sale/sale-harness.test.support.js';
import type { TerminalView, TillEvent } from '../../sale/service/sale-service.js';
import { sentMessage } from '../messages/message.js';
import { MessageCipher } from '../messages/message-cipher.js';
import { TillRequests } from '../requests/till-requests.js';
import { DisplayEvents } from './display-events.js';
import { DISPLAY_LIMITS, DisplayNotifier } from './display-notifier.js';

const KEY = { identifier: 'k', version: 1, passphrase: 'a passphrase of the tills' };
const cipher = new MessageCipher(KEY, { bytes: (length) => Buffer.alloc(length, 3) });
const WISH = {
  category: 'Payment',
  saleId: 'till-1',
  poiId: '11',
  terminalId: '11',
  serviceId: '7',
  transactionId: 't',
  timeStamp: '2026-11-23T08:00:00Z',
} as const;

function opened(body: string) {
  const inner = cipher.open(sentMessage(JSON.parse(body)));
  const [output] = inner.members.object('DisplayRequest').objects('DisplayOutput');
  const reference = output?.object('OutputContent').object('PredefinedContent').text('ReferenceID') ?? '';
  return { header: inner.header, pairs: Object.fromEntries(new URLSearchParams(reference)) };
}

async function started(
  urls: ReadonlyMap<string, string>,
  post: (url: string, body: string) => Promise<void>,
) {
  const harness = await new SaleHarness().boot();
  const requests = new TillRequests(harness.journal, harness.clock);
  const log = pino({ level: 'silent' });
  const notifier = new DisplayNotifier({
    sales: harness.service,
    requests,
    keys: { cipherOf: () => cipher },
    urls,
    post,
    log,
  });
  const { reference } = await requests.begin(WISH);
  return { harness, reference, notifier };
}

describe('display notifications', () => {
  it('reach the till that requested them, in order and enciphered', async () => {
    const sent: [string, string][] = [];
    const urls = new Map([['till-1', 'http://till-1.shop/display']]);
    const { harness, reference, notifier } = await started(urls, async (...call) => void sent.push(call));
    await harness.sell({ reference });
    harness.driver().show('busy');
    harness.driver().show('ready');
    await harness.sell({ reference: 'another' });
    expect(sent.map(([url]) => url)).toEqual(sent.map(() => 'http://till-1.shop/display'));
    const notified = sent.map(([, body]) => opened(body));
    expect(notified.map(({ pairs }) => pairs.event)).toEqual([
      'TENDER_CREATED',
      'CARD_INSERTED',
      'CARD_REMOVED',
      'TENDER_FINAL',
    ]);
    for (const { pairs, header } of notified) {
      expect(pairs.TransactionID).toBe(reference);
      expect(header).toMatchObject({
        MessageClass: 'Device',
        MessageCategory: 'Display',
        ServiceID: '7',
        POIID: '11',
      });
    }
    expect(new Set(notified.map(({ header }) => (header as { DeviceID: string }).DeviceID)).size).toBe(4);
    notifier.close();
  });

  it('are not sent to other tills, and a till that is gone holds up nothing', async () => {
    const sent: string[] = [];
    const other = await started(
      new Map([['till-2', 'http://x']]),
      async (_url, body) => void sent.push(body),
    );
    await other.harness.sell({ reference: other.reference });
    expect(sent).toEqual([]);
    const gone = await started(new Map([['till-1', 'http://x']]), () => Promise.reject(new Error('gone')));
    expect(await gone.harness.sell({ reference: gone.reference })).toMatchObject({ outcome: 'approved' });
  });

  it('drop the oldest where a till takes none', async () => {
    let posts = 0;
    const events: ((event: TillEvent) => void)[] = [];
    let take: () => void = () => undefined;
    const taken: string[] = [];
    const notifier = new DisplayNotifier({
      sales: {
        onEvent: (listener) => {
          events.push(listener);
          return () => undefined;
        },
      },
      requests: { ofSale: (reference) => ({ ...WISH, reference, atMs: 0 }) },
      keys: { cipherOf: () => cipher },
      urls: new Map([['till-1', 'http://x']]),
      post: (_url, body) => {
        posts += 1;
        taken.push(opened(body).pairs.TransactionID ?? '');
        return posts > 1 ? Promise.resolve() : new Promise((resolve) => (take = resolve));
      },
      log: pino({ level: 'silent' }),
    });
    const count = DISPLAY_LIMITS.maxWaiting + 10;
    for (let at = 0; at < count; at += 1)
      for (const tell of events) tell(saleEvent('accepted', { reference: `s${at}` }));
    take();
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toHaveLength(1 + DISPLAY_LIMITS.maxWaiting);
    expect([taken[0], taken[1], taken.at(-1)]).toEqual(['s0', 's10', `s${count - 1}`]);
    notifier.close();
  });
});

function saleEvent(step: string, more: Partial<SaleAnswer>): TillEvent {
  const sale = { reference: 's', terminalId: '11', state: 'accepted', ...more } as SaleAnswer;
  return { type: 'sale', id: 1, atMs: 5, step, sale };
}

describe('display events', () => {
  const progress = (step: string): TillEvent => ({
    type: 'progress',
    atMs: 5,
    reference: 's',
    terminalId: '11',
    step,
  });
  const terminal = (state: TerminalView['state']): TillEvent => ({
    type: 'terminal',
    atMs: 6,
    terminal: { id: '11', state } as TerminalView,
  });
  const card = (entryMode: EntryMode) => ({ card: { entryMode } });

  it.each<[string, readonly TillEvent[], readonly string[]]>([
    [
      'a chip with a PIN',
      [
        saleEvent('accepted', {}),
        progress('waiting-for-card'),
        progress('pin-entry'),
        saleEvent('authorizing', { state: 'authorizing', ...card('ICC') }),
        saleEvent('approved', { state: 'done', ...card('ICC') }),
        terminal('busy'),
        terminal('ready'),
        terminal('ready'),
      ],
      ['TENDER_CREATED', 'CARD_INSERTED', 'WAIT_FOR_PIN', 'PIN_ENTERED', 'CARD_REMOVED', 'TENDER_FINAL'],
    ],
    [
      'a tap',
      [
        saleEvent('accepted', {}),
        saleEvent('authorizing', { state: 'authorizing', ...card('NFC_ICC') }),
        saleEvent('approved', { state: 'done', ...card('NFC_ICC') }),
        terminal('ready'),
      ],
      ['TENDER_CREATED', 'CARD_PRESENTED', 'TENDER_FINAL'],
    ],
    [
      'a PIN that is not entered',
      [
        saleEvent('accepted', {}),
        progress('pin-entry'),
        saleEvent('cancelled', { state: 'done' }),
        terminal('ready'),
      ],
      ['TENDER_CREATED', 'CARD_INSERTED', 'WAIT_FOR_PIN', 'CARD_REMOVED', 'TENDER_FINAL'],
    ],
    ['a sale of before', [saleEvent('acknowledged', { state: 'done' }), terminal('ready')], []],
  ])('of %s', (_what, events, expected) => {
    const display = new DisplayEvents();
    expect(events.flatMap((event) => display.of(event)).map(({ event }) => event)).toEqual(expected);
  });
});
