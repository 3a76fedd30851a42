import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { timeText } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-numbers.js';
import { HostLink, type LinkRequest } from '@tillbridge/gateway/core/acquirers/iso8583/link/host-link.js';
import {
  NotSentError,
  OutcomeUnknownError,
} from '@tillbridge/gateway/core/acquirers/iso8583/link/link-deps.js';

import { MemoryLinkJournal } from '@tillbridge/gateway/core/acquirers/iso8583/testing/memory-link-journal.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import { AcquirerHost } from '@tillbridge/hardware-sim/hosts/acquirer/acquirer-host.js';
import {
  HOST_FAULT_NAMES,
  type HostFault,
} from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { unpackExchange } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import { packMessage, unpackMessage } from '@tillbridge/wire/iso8583/message.js';
import { MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PEER_DIALECT, peerPack, peerUnpack } from './independent-codec.js';

const ANSWER_TIMEOUT_MS = 30_000;
/** Turns of virtual time until everything must have ended. */
const MOST_TURNS = 2_000;
const TURN_MS = 500;
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

let home: string;
let clock: VirtualClock;
let host: AcquirerHost;
let journal: MemoryLinkJournal;
let link: HostLink;
let hostIsUp: boolean;
let lines: BytePipe[];
let bad: string[];
let late: string[];
/** What went wrong in the link itself; undefined: nothing may. */
let faults: unknown[] | undefined;
let captured: Buffer[];
let stan: number;
let reference: number;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'link-and-host-'));
  clock = new VirtualClock(Date.UTC(2026, 10, 23, 7, 22, 0));
  host = await openHost();
  journal = new MemoryLinkJournal();
  hostIsUp = true;
  faults = undefined;
  [lines, bad, late, captured, stan, reference] = [[], [], [], [], 0, 0];
  link = await openLink();
});
afterEach(async () => {
  await link.close();
  await host.close();
  rmSync(home, { recursive: true });
});

function code(covered: Uint8Array): Buffer {
  return retailMac(developmentKey('zoneMacKey'), covered, 'iso9797Method1');
}

function openHost(dialect: DialectName = '1987-binary'): Promise<AcquirerHost> {
  return AcquirerHost.open({ home, dialect: DIALECTS[dialect], clock, random: seededRandom(3) });
}

async function openLink(dialect: DialectName = '1987-binary'): Promise<HostLink> {
  const opened = new HostLink({
    dialect: DIALECTS[dialect],
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
      async mac(covered) {
        return code(covered);
      },
      async verify(covered, mac) {
        return code(covered).subarray(0, mac.length).equals(mac);
      },
    },
    clock,
    observer: {
      bad: (reason) => bad.push(reason),
      lateApproval: (of) => late.push(of),
      detailsLeftOut: () => undefined,
      withoutCard: () => undefined,
      notWritten: () => undefined,
      fault: (error) => {
        if (!faults) throw error;
        faults.push(error);
      },
    },
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
  });
  await opened.start();
  return opened;
}

/** Ends the link as a power cut does: what it does from now on reaches no journal and no host. */
async function crash(): Promise<void> {
  const journaled = journal;
  journal = new MemoryLinkJournal();
  for (const [key, record] of journaled.records) journal.records.set(key, record);
  await link.close();
}

async function connect(): Promise<BytePipe> {
  if (!hostIsUp) throw new Error('no route');
  const [near, far] = memoryPipe('line');
  lines.push(far);
  for (const end of [near, far]) {
    const frames = new MessageFrames();
    end.onData((bytes) => captured.push(...frames.push(bytes)));
  }
  host.talk(far);
  return near;
}

function strike(...faults: readonly (Pick<HostFault, 'name'> & Partial<HostFault>)[]): void {
  host.faults.replace(
    faults.map((fault) => ({ skip: 0, times: 1, delayMs: ANSWER_TIMEOUT_MS + 10_000, ...fault })),
  );
}

/** The host is at work on something else, and answers nothing until the returned function is called. */
function busyHost(): () => void {
  let end: () => void = () => undefined;
  const busy = new Promise<void>((resolve) => {
    end = resolve;
  });
  void host.database.exclusively(() => busy);
  return end;
}

/** Resolves once the link has journaled its first request, which may have left. */
async function journaled(): Promise<void> {
  for (let i = 0; i < MOST_TURNS && journal.records.size === 0; i += 1) await turn();
  expect(journal.records.size).toBe(1);
}

/** Lets virtual time go on until a promise is settled. */
async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  await until(() => isOver);
  return over;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < MOST_TURNS && !isTrue(); i += 1) {
    await host.database.exclusively(async () => undefined);
    await turn();
    if (!isTrue()) await clock.advance(TURN_MS);
  }
  expect(isTrue()).toBe(true);
}

/** How a sale ended for its gateway. */
async function sell(values: Partial<LinkRequest> = {}): Promise<string> {
  reference += 1;
  try {
    const { responseCode = '' } = await settled(link.ask(`r${reference}`, { ...SALE, ...values }));
    return responseCode;
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return 'unknown';
    if (error instanceof NotSentError) return 'not sent';
    throw error;
  }
}

const openRecords = () =>
  [...journal.records.values()].filter(({ state }) => state === 'sent' || state === 'reversing');

/** Everything that is open ends, and the host has taken exactly what the gateway believes. */
async function expectEqualLedgers(): Promise<void> {
  await until(() => openRecords().length === 0);
  const believed = [...journal.records.values()]
    .filter(({ state, answer }) => state === 'answered' && answer?.responseCode === '00')
    .map(({ request }) => `${request?.terminalId}/${request?.stan}/${request?.at}`);
  const taken = (await host.database.transactions())
    .filter(({ amountMinor, reversedMinor }) => amountMinor > reversedMinor)
    .map(({ message }) => message);
  expect(taken.sort()).toEqual(believed.sort());
}

it('sends requests to a host over a line on which it has signed on', async () => {
  expect(await sell()).toBe('00');
  expect(await sell({ pan: '4200000000000125' })).toBe('62');
  expect(lines).toHaveLength(1);
  await expectEqualLedgers();
});

describe.each(HOST_FAULT_NAMES)('%s', (name) => {
  it('of a sale: both ledgers agree in the end', async () => {
    strike({ name, on: 'financial' });
    const end = await sell();
    expect(end).toBe(name === 'duplicate' || name === 'approve-after-reversal' ? '00' : 'unknown');
    expect(await sell()).toBe('00');
    if (name === 'late') await until(() => late.length === 1);
    await expectEqualLedgers();
    expect(bad).toHaveLength(name === 'garbage' ? 1 : 0);
  });

  it('of its reversal: it is repeated until the host acknowledges it', async () => {
    strike({ name: 'silent', on: 'financial' }, { name, on: 'reversal' });
    expect(await sell()).toBe('unknown');
    await expectEqualLedgers();
    expect((await host.database.transactions())[0]).toMatchObject({ amountMinor: 1234, reversedMinor: 1234 });
  });

  it('with a restart of the gateway before the answer: the sale is reversed', async () => {
    strike({ name, on: 'financial' });
    const answers = busyHost();
    link.ask('r1', SALE).catch(() => undefined);
    await journaled();
    await crash();
    answers();
    expect(journal.records.get('r1')?.state).toBe('sent');
    link = await openLink();
    await expectEqualLedgers();
  });

  it('with a restart of the host: its ledger has what it answered', async () => {
    strike({ name, on: 'financial' });
    await sell();
    for (const line of lines.splice(0)) await line.close();
    await host.close();
    host = await openHost();
    expect(await sell()).toBe('00');
    await expectEqualLedgers();
  });
});

it('reverses an approval that comes after its reversal again, under a new number', async () => {
  strike({ name: 'late', on: 'financial', delayMs: ANSWER_TIMEOUT_MS + 60_000 });
  expect(await sell()).toBe('unknown');
  await until(() => late.length === 1);
  await expectEqualLedgers();
  const originals = (await host.database.reversals()).map(({ original, message }) => [original, message]);
  expect(new Set(originals.map(([original]) => original)).size).toBe(1);
  expect(new Set(originals.map(([, message]) => message)).size).toBe(2);
});

it('sends nothing while no host can be reached, and reversals as soon as one can', async () => {
  strike({ name: 'disconnect', on: 'financial' });
  const answers = busyHost();
  const outcome = sell();
  await journaled();
  hostIsUp = false;
  answers();
  expect(await outcome).toBe('unknown');
  expect(await sell()).toBe('not sent');
  expect(journal.records.size).toBe(1);
  hostIsUp = true;
  await expectEqualLedgers();
  // What never left is no repeat.
  expect(await link.find('r1')).toMatchObject({ state: 'reversed', reversal: { attempts: 1 } });
});

it('sends the reversals of a terminal in their order, one at a time', async () => {
  strike({ name: 'silent', on: 'financial', times: 3 });
  for (let i = 0; i < 3; i += 1) expect(await sell()).toBe('unknown');
  await expectEqualLedgers();
  const originals = (await host.database.reversals()).map(({ original }) => original.split('/')[1]);
  expect(originals).toEqual([...originals].sort());
});

it('lets a reversal that is not acknowledged hold up no other payment without a terminal', async () => {
  strike({ name: 'silent', on: 'financial', times: 2 }, { name: 'lost', on: 'reversal' });
  const request: LinkRequest = { ...SALE, entryMode: 'e-commerce' };
  await settled(Promise.allSettled([link.ask('r1', request), link.ask('r2', request)]));
  await until(() => journal.records.get('r2')?.state === 'reversed');
  expect(journal.records.get('r1')).toMatchObject({ state: 'reversing', reversal: { attempts: 1 } });
  await expectEqualLedgers();
});

it('goes on with a host that never acknowledges one reversal', async () => {
  strike({ name: 'silent', on: 'financial' }, { name: 'lost', on: 'reversal', times: 7 });
  expect(await sell()).toBe('unknown');
  await until(() => journal.records.get('r1')?.reversal?.attempts === 7);
  expect(await sell()).toBe('00');
  expect(lines).toHaveLength(1);
  await expectEqualLedgers();
});

it('tries a reversal again after a while where nothing can be journaled', async () => {
  strike({ name: 'silent', on: 'financial' }, { name: 'lost', on: 'reversal' });
  expect(await sell()).toBe('unknown');
  await until(() => journal.records.get('r1')?.reversal?.attempts === 1);
  faults = [];
  const change = journal.change.bind(journal);
  journal.change = () => Promise.reject(new Error('the disk is full'));
  await until(() => (faults?.length ?? 0) >= 3);
  expect(faults).toHaveLength(3);
  journal.change = change;
  await expectEqualLedgers();
});

it('flags a reversal as a repeat where another node has sent it before', async () => {
  strike({ name: 'disconnect', on: 'financial' });
  const answers = busyHost();
  const outcome = sell();
  await journaled();
  hostIsUp = false;
  answers();
  expect(await outcome).toBe('unknown');
  // Both know of it before either has sent it.
  const other = await openLink();
  hostIsUp = true;
  strike({ name: 'lost', on: 'reversal' });
  await expectEqualLedgers();
  const repeats = captured
    .map((bytes) => unpackExchange(DIALECTS['1987-binary'], bytes, clock.nowMs()))
    .filter(({ kind, isResponse }) => kind === 'reversal' && !isResponse)
    .map(({ isRepeat }) => isRepeat);
  expect(repeats).toEqual([false, ...repeats.slice(1).map(() => true)]);
  expect(repeats.length).toBeGreaterThan(1);
  await other.close();
});

it('takes a sale back at its merchant’s wish', async () => {
  expect(await sell()).toBe('00');
  await link.reverse('r1', { reference: 'v1' });
  await until(() => openRecords().length === 0);
  expect((await host.database.transactions())[0]).toMatchObject({ amountMinor: 1234, reversedMinor: 1234 });
  expect(await link.find('r1')).toMatchObject({ state: 'reversed' });
});

it('ends with equal ledgers after many sales with faults', async () => {
  const random = seededRandom(20);
  const ends = new Map<string, number>();
  for (let i = 0; i < 120; i += 1) {
    const [dice = 0, which = 0, terminal = 0] = random.bytes(3);
    const name = HOST_FAULT_NAMES[which % HOST_FAULT_NAMES.length] ?? 'silent';
    if (dice < 26) strike({ name, on: dice % 3 === 0 ? 'reversal' : 'financial' });
    const end = await sell({ terminalId: `T${terminal % 3}`, amount: { minor: 100 + i, currency: 'EUR' } });
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  await expectEqualLedgers();
  expect(ends.get('00')).toBeGreaterThan(90);
  expect(ends.get('unknown')).toBeGreaterThan(2);
});

it.each(['1987-ascii', 'cmf'] as const)('speaks %s', async (dialect) => {
  await link.close();
  await host.close();
  host = await openHost(dialect);
  link = await openLink(dialect);
  captured = [];
  strike({ name: 'silent', on: 'financial', skip: 1 });
  expect(await sell({ pinBlock: '0011223344556677', cvv: '123', eci: '05' })).toBe('55');
  expect(await sell()).toBe('unknown');
  await expectEqualLedgers();
  // Sign-on, two sales, a reversal; answers to all but the silent one.
  expect(captured).toHaveLength(7);
  if (dialect !== PEER_DIALECT.name) return;
  for (const bytes of captured) {
    const message = unpackMessage(PEER_DIALECT, bytes);
    expect(peerUnpack(bytes)).toEqual(message);
    expect(packMessage(PEER_DIALECT, unpackMessage(PEER_DIALECT, peerPack(message)))).toEqual(bytes);
  }
});
