import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { packCoded, packExchange, unpackExchange } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { framed, MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timeText } from '../journal/store-numbers.js';
import { MemoryLinkJournal } from '../testing/memory-link-journal.js';
import { HostLink, type HostLinkOptions, type LinkRequest } from './host-link.js';
import { CIRCUIT_BREAK_MS, MAX_UNANSWERED_MESSAGES } from './line-pool.js';
import { type HostConnector, NotSentError, OutcomeUnknownError } from './link-deps.js';
import { LINK_LIMITS } from './link-limits.js';

const DIALECT = DIALECTS['1987-binary'];
const ANSWER_TIMEOUT_MS = 20_000;
const SALE: LinkRequest = {
  kind: 'financial',
  isAdvice: false,
  transaction: 'purchase',
  amount: { minor: 1234, currency: 'EUR' },
  entryMode: 'keyed',
  pan: '4200000000000000',
  expiry: '3112',
  terminalId: 'T1001',
  merchantId: 'M1',
};

type Reply = (request: ExchangeMessage, line: BytePipe) => unknown;

const approve: Reply = (request, line) => send(line, answerTo(request, { responseCode: '00' }));

let clock: VirtualClock;
let journal: MemoryLinkJournal;
let link: HostLink;
let bad: string[];
let notWritten: string[];
let stan: number;
/** Every message that the host received, but those of the network. */
let received: ExchangeMessage[];
/** Connections that were tried. */
let tries: number;
/** How many of them the host takes. */
let taken: number;
/** What the host does with a sale. */
let reply: Reply;
/** What the host answers to reversals; undefined: nothing. */
let acknowledgement: string | undefined;
/** Whether the host answers network messages. */
let isAlive: boolean;
/** Called with answers to requests of the host. */
let answered: (answer: ExchangeMessage) => unknown;
/** The host's own end of the last line. */
let far: () => BytePipe;
/** The gateway's own ends of the lines. */
let lines: BytePipe[];

beforeEach(async () => {
  clock = new VirtualClock(Date.UTC(2026, 10, 23, 7, 22, 0));
  journal = new MemoryLinkJournal();
  [bad, received, lines, notWritten, stan, tries, taken] = [[], [], [], [], 0, 0, Number.POSITIVE_INFINITY];
  reply = approve;
  acknowledgement = '00';
  isAlive = true;
  answered = () => undefined;
  link = await open();
});
afterEach(() => link.close());

function codeOf(covered: Uint8Array): Buffer {
  return retailMac(developmentKey('zoneMacKey'), covered, 'iso9797Method1');
}

function bytesOf(message: ExchangeMessage): Buffer {
  const { bytes, covered, putCode } = packCoded(DIALECT, message);
  putCode(codeOf(covered));
  return framed(bytes);
}

async function send(line: BytePipe, message: ExchangeMessage): Promise<void> {
  await line.write(bytesOf(message));
}

async function open(
  values: Partial<HostLinkOptions> = {},
  beforeCode: () => void = () => undefined,
): Promise<HostLink> {
  const opened = new HostLink({
    dialect: DIALECT,
    hosts: [connect],
    connections: 1,
    echoAfterMs: 60_000_000,
    takeKey: async () => ({ responseCode: '12' }),
    journal,
    numbers: {
      async next() {
        stan += 1;
        return { sequence: stan, stan: String(stan).padStart(6, '0'), at: timeText(clock.nowMs()) };
      },
    },
    seal: {
      async mac(covered, { kind }) {
        if (kind === 'financial') beforeCode();
        return codeOf(covered);
      },
      async verify(covered, mac) {
        return codeOf(covered).subarray(0, mac.length).equals(mac);
      },
    },
    clock,
    observer: {
      bad: (reason) => bad.push(reason),
      lateApproval: () => undefined,
      detailsLeftOut: () => undefined,
      withoutCard: () => undefined,
      notWritten: (reference, reason) => notWritten.push(`${reference} ${reason}`),
      fault: (error) => {
        throw error;
      },
    },
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    ...values,
  });
  await opened.start();
  return opened;
}

async function connect(): Promise<BytePipe> {
  tries += 1;
  if (tries > taken) throw new Error('no route');
  const [near, end] = memoryPipe('line');
  far = () => end;
  lines.push(near);
  const frames = new MessageFrames();
  end.onData((bytes) => {
    for (const message of frames.push(bytes)) take(unpackExchange(DIALECT, message, clock.nowMs()), end);
  });
  return near;
}

function take(request: ExchangeMessage, line: BytePipe): void {
  if (request.isResponse) return void answered(request);
  if (request.kind !== 'network') received.push(request);
  if (request.kind === 'financial') reply(request, line);
  else if (request.kind === 'reversal') acknowledge(request, line);
  else if (isAlive) void send(line, answerTo(request, { responseCode: '00' }));
}

function acknowledge(request: ExchangeMessage, line: BytePipe): void {
  if (acknowledgement !== undefined) void send(line, answerTo(request, { responseCode: acknowledgement }));
}

/** How a sale ended for its gateway; time does not move. */
async function sell(reference = 'r1', values: Partial<LinkRequest> = {}): Promise<string> {
  try {
    return (await link.ask(reference, { ...SALE, ...values })).responseCode ?? '';
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return 'unknown';
    if (error instanceof NotSentError) return 'not sent';
    throw error;
  }
}

const stateOf = (reference: string) => journal.records.get(reference)?.state;
const reversals = () => received.filter(({ kind }) => kind === 'reversal');

describe('a host', () => {
  it.each<[string, Partial<ExchangeMessage>]>([
    ['another amount', { responseCode: '00', amount: { minor: 1, currency: 'EUR' } }],
    ['another currency', { responseCode: '00', amount: { minor: 1234, currency: 'USD' } }],
    ['a part that the request did not allow', { responseCode: '10', amount: { minor: 1, currency: 'EUR' } }],
    ['no response code', {}],
  ])('that approves %s has decided nothing: it is reversed', async (_, values) => {
    reply = (request, line) => void send(line, answerTo(request, values));
    expect(await sell()).toBe('unknown');
    await clock.advance(0);
    expect(stateOf('r1')).toBe('reversed');
    expect(reversals()).toHaveLength(1);
    expect(bad).toEqual(['an answer that approves something else, or has no response code']);
  });

  it('that declines and then approves is reversed, and the payment stays declined', async () => {
    reply = (request, line) => {
      void send(line, answerTo(request, { responseCode: '91' }));
      void send(line, answerTo(request, { responseCode: '00' }));
    };
    expect(await sell()).toBe('91');
    await clock.advance(0);
    expect(journal.records.get('r1')).toMatchObject({ state: 'reversed', answer: { responseCode: '91' } });
    expect(reversals()).toHaveLength(1);
  });

  it('that answers no pending request changes nothing, and keeps its line', async () => {
    reply = (request, line) => {
      const answer = answerTo(request, { responseCode: '00' });
      void send(line, { ...answer, stan: '900001' });
      void send(line, { ...answer, terminalId: 'T9' });
      void send(line, { ...answer, kind: 'authorization' });
      void send(line, { ...answer, at: '20261123072201' });
      void send(line, { ...answer, responseCode: '51' });
      void send(line, answer);
    };
    // The last one approves what was declined.
    expect(await sell()).toBe('51');
    await clock.advance(0);
    expect(stateOf('r1')).toBe('reversed');
    expect(bad).toEqual(Array(4).fill('an answer to nothing'));
    expect(tries).toBe(1);
  });

  const right = (request: ExchangeMessage) => bytesOf(answerTo(request, { responseCode: '00' }));
  it.each<[string, (request: ExchangeMessage) => Buffer, string]>([
    ['a length above the longest message', () => Buffer.from('ffff00', 'hex'), 'a length of 65535'],
    [
      'five messages that are none',
      () => Buffer.concat(Array(5).fill(framed(Buffer.from('00fa5509ffee', 'hex')))),
      '',
    ],
    [
      'five with a wrong code',
      (request) => {
        const bytes = right(request);
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        return Buffer.concat(Array(5).fill(bytes));
      },
      'a wrong authentication code',
    ],
    [
      'five without a code',
      (request) => {
        const answer = packExchange(DIALECT, answerTo(request, { responseCode: '00' }), false);
        return Buffer.concat(Array(5).fill(framed(answer)));
      },
      'a wrong authentication code',
    ],
    [
      'five with a bitmap that lies',
      (request) => {
        const bytes = right(request);
        // The fields 3 and 4 are there, and the bitmap does not say so.
        bytes[4] = (bytes[4] ?? 0) & 0xcf;
        return Buffer.concat(Array(5).fill(bytes));
      },
      '',
    ],
  ])('that sends %s loses the line at once, and what is open is reversed', async (_, bytes, reason) => {
    reply = (request, line) => void line.write(bytes(request)).catch(() => undefined);
    expect(await sell()).toBe('unknown');
    expect(bad[0]).toContain(reason);
    expect(bad.join()).not.toContain('4200000000000000');
    await clock.advance(0);
    expect(stateOf('r1')).toBe('reversed');
    expect(tries).toBe(2);
  });

  it('that sends half of a message and nothing more is left after the time of an answer', async () => {
    reply = (request, line) => void line.write(right(request).subarray(0, 20));
    const sale = sell();
    await clock.advance(ANSWER_TIMEOUT_MS);
    expect(await sale).toBe('unknown');
  });
});

it('begins no more requests at once than it may', async () => {
  const waiting: (() => void)[] = [];
  reply = (request, line) => waiting.push(() => approve(request, line));
  const sales = Array.from({ length: LINK_LIMITS.requests + 200 }, (_, at) => sell(`r${at}`));
  expect(await Promise.all(sales.slice(LINK_LIMITS.requests))).toEqual(Array(200).fill('not sent'));
  await clock.advance(0);
  expect(waiting).toHaveLength(LINK_LIMITS.requests);
  for (const answer of waiting) answer();
  expect(new Set(await Promise.all(sales.slice(0, LINK_LIMITS.requests)))).toEqual(new Set(['00']));
  reply = approve;
  expect(await sell('after')).toBe('00');
});

it('ends a request at once where its line ended while the message was made', async () => {
  await link.close();
  let isFirst = true;
  link = await open({}, () => {
    if (isFirst) void lines.at(-1)?.close();
    isFirst = false;
  });
  expect(await sell()).toBe('unknown');
  await clock.advance(0);
  expect(stateOf('r1')).toBe('reversed');
});

it('names the field that a request does not fit into, and sends and journals nothing', async () => {
  const long = { amount: { minor: 10 ** 13, currency: 'KWD' } };
  await expect(link.ask('r1', { ...SALE, ...long })).rejects.toMatchObject({ name: 'Iso8583Error' });
  expect(notWritten).toEqual([expect.stringMatching(/^r1 badField: field 4: /)]);
  expect(journal.records.size).toBe(0);
});

it('connects to a host again after a break although the clock was set back', async () => {
  taken = 0;
  expect(await sell()).toBe('not sent');
  taken = Number.POSITIVE_INFINITY;
  clock.jumpWall(-3_600_000);
  await clock.advance(CIRCUIT_BREAK_MS);
  expect(await sell()).toBe('00');
});

it('does not try a host for each payment where it takes one connection alone', async () => {
  await link.close();
  taken = tries + 1;
  link = await open({ connections: 2 });
  for (let at = 0; at < 10; at += 1) expect(await sell(`r${at}`)).toBe('00');
  expect(tries - taken).toBe(1);
  await clock.advance(CIRCUIT_BREAK_MS);
  for (let at = 10; at < 14; at += 1) expect(await sell(`r${at}`)).toBe('00');
  expect(tries - taken).toBe(2);
});

it('takes one number for a payment, and another one for its reversal alone', async () => {
  expect(await sell('r0')).toBe('00');
  const before = stan;
  for (let at = 1; at <= 5; at += 1) expect(await sell(`r${at}`)).toBe('00');
  expect(stan - before).toBe(5);
  await link.reverse('r5', {});
  await clock.advance(0);
  expect(stan - before).toBe(6);
  expect(reversals()[0]).toMatchObject({ stan: String(stan).padStart(6, '0') });
});

it('reports since when an unacknowledged reversal waits', async () => {
  expect(await sell()).toBe('00');
  await clock.advance(3_600_000);
  acknowledgement = '96';
  await link.reverse('r1', { reference: 'v1' });
  await clock.advance(600_000);
  expect(link.waitingReversals).toEqual({ count: 1, sinceMs: Date.UTC(2026, 10, 23, 8, 22, 0) });
  acknowledgement = '21';
  await clock.advance(600_000);
  expect(link.waitingReversals).toBeUndefined();
});

/** A host that takes connections, and answers what it likes to a sign-on. */
function otherHost(answer: (request: ExchangeMessage, line: BytePipe) => unknown): HostConnector {
  return async () => {
    const [near, far] = memoryPipe('other');
    const frames = new MessageFrames();
    far.onData((bytes) => {
      for (const message of frames.push(bytes)) answer(unpackExchange(DIALECT, message, clock.nowMs()), far);
    });
    return near;
  };
}

describe('of several hosts', () => {
  it.each<[string, HostConnector]>([
    ['cannot be reached', () => Promise.reject(new Error('no route'))],
    ['does not answer', otherHost(() => undefined)],
    [
      'does not let it sign on',
      otherHost((request, line) => send(line, answerTo(request, { responseCode: '91' }))),
    ],
    ['sends garbage', otherHost((_, line) => line.write(Buffer.from('ffffff', 'hex')))],
  ])('the next one is taken where one %s', async (_, first) => {
    await link.close();
    link = await open({ hosts: [first, connect] });
    const sale = sell();
    await clock.advance(ANSWER_TIMEOUT_MS);
    expect(await sale).toBe('00');
    expect(received).toHaveLength(1);
  });

  it('another one gets only the reversal of a request whose outcome is unknown', async () => {
    await link.close();
    const second: ExchangeMessage[] = [];
    const other = otherHost((request, line) => {
      if (request.kind !== 'network') second.push(request);
      return send(line, answerTo(request, { responseCode: '00' }));
    });
    link = await open({ hosts: [connect, other] });
    reply = () => {
      taken = 0;
      void lines.at(-1)?.close();
    };
    expect(await sell()).toBe('unknown');
    await clock.advance(0);
    expect(received.map(({ kind }) => kind)).toEqual(['financial']);
    expect(second.map(({ kind }) => kind)).toEqual(['reversal']);
    expect(stateOf('r1')).toBe('reversed');
  });
});

it('sends nothing for a while where no message was answered, many in a row', async () => {
  reply = () => undefined;
  acknowledgement = undefined;
  const sales = Array.from({ length: MAX_UNANSWERED_MESSAGES }, (_, at) => sell(`r${at}`));
  await clock.advance(ANSWER_TIMEOUT_MS);
  expect(new Set(await Promise.all(sales))).toEqual(new Set(['unknown']));
  const before = received.length;
  expect(await sell('r')).toBe('not sent');
  expect(journal.records.get('r')).toBeUndefined();
  expect(received).toHaveLength(before);
  [acknowledgement, reply] = ['00', approve];
  await clock.advance(CIRCUIT_BREAK_MS);
  expect(await sell('r')).toBe('00');
});

it('goes on with a host that answers something in between', async () => {
  reply = () => undefined;
  for (let at = 1; at <= 2 * MAX_UNANSWERED_MESSAGES; at += 1) {
    const sale = sell(`r${at}`);
    await clock.advance(ANSWER_TIMEOUT_MS);
    // Its reversal is answered.
    expect(await sale).toBe('unknown');
  }
  expect(tries).toBe(1);
});

it('sends an echo test to a quiet host, and leaves one that is not', async () => {
  await link.close();
  link = await open({ echoAfterMs: 60_000 });
  expect(await sell('r1')).toBe('00');
  const before = tries;
  await clock.advance(600_000);
  expect(tries).toBe(before);
  isAlive = false;
  await clock.advance(60_000 + ANSWER_TIMEOUT_MS);
  isAlive = true;
  expect(await sell('r2')).toBe('00');
  expect(tries).toBe(before + 1);
});

describe('what a host requests', () => {
  const ask = async (values: Partial<ExchangeMessage>) => {
    expect(await sell()).toBe('00');
    const answers: ExchangeMessage[] = [];
    answered = (answer) => answers.push(answer);
    const network = { kind: 'network', isAdvice: false, isResponse: false, isRepeat: false } as const;
    await send(far(), { ...network, stan: '000001', at: '20261123072200', ...values });
    await clock.advance(0);
    return answers;
  };

  it('is answered: whether it is there, and that a day is over', async () => {
    const days: string[] = [];
    await link.close();
    link = await open({ onCutOver: async (day) => void days.push(day) });
    expect(await ask({ network: 'echo' })).toMatchObject([
      { isResponse: true, responseCode: '00', stan: '000001' },
    ]);
    await link.close();
    journal = new MemoryLinkJournal();
    link = await open({ onCutOver: async (day) => void days.push(day) });
    expect(await ask({ network: 'cut-over', settlementDate: '20261124' })).toMatchObject([
      { responseCode: '00' },
    ]);
    expect(days).toEqual(['20261124']);
  });

  it('is counted where it names a day that cannot have begun', async () => {
    const days: string[] = [];
    await link.close();
    link = await open({ onCutOver: async (day) => void days.push(day) });
    reply = (request, line) =>
      send(line, answerTo(request, { responseCode: '00', settlementDate: '20270301' }));
    await ask({ network: 'cut-over', settlementDate: '20270301' });
    expect(days).toEqual([]);
    expect(bad).toEqual(Array(2).fill('a settlement day that is far away'));
    expect(journal.records.get('r1')).toMatchObject({ state: 'answered' });
    expect(journal.records.get('r1')?.booked).toBeUndefined();
  });

  it('is refused and counted where it is not for a host to ask', async () => {
    expect(await ask({ kind: 'financial', transaction: 'purchase' })).toMatchObject([{ responseCode: '12' }]);
    expect(bad).toEqual(['a request that the gateway does not carry out']);
  });
});
