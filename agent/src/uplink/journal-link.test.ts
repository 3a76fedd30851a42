import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GoodbyeCode, JournalVerdict } from '@tillbridge/wire/bridge/messages.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JournalHead } from '../journal/journal.js';
import { BridgeUplink } from './bridge-uplink.js';
import { enrolledHome, memoryTrust } from './enrolled-home.test.support.js';
import { TestGateway } from './gateway.test.support.js';
import { MemoryQueue } from './memory-queue.test.support.js';
import { websocketConnector } from './websocket-connector.js';

const HEAD = { row: 7, hash: Buffer.alloc(32, 7) };

let home: string;
let gateway: TestGateway;
let clock: VirtualClock;
let uplink: BridgeUplink;
let received: unknown[];
let anchor: JournalHead | undefined;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'agent-head-'));
  gateway = await TestGateway.listen();
  clock = new VirtualClock(0);
  received = [];
  anchor = undefined;
  uplink = new BridgeUplink({
    speaker: { identity: enrolledHome(home, 'store-1'), bootId: 'b', generation: 1, software: 'test' },
    connect: websocketConnector(gateway.url),
    trust: memoryTrust(),
    queue: new MemoryQueue(),
    journal: {
      welcomed: async (streams, kept) => {
        received.push(['welcomed', streams, kept?.row]);
      },
      judged: (verdict, kept) => received.push([verdict, kept?.row]),
      fenced: (reason) => received.push(['fenced', reason]),
      anchor: () => anchor,
    },
    terminals: () => [],
    clock,
    random: { bytes: (length) => new Uint8Array(length) },
    log: pino({ level: 'silent' }),
  });
});

afterEach(async () => {
  await uplink.close();
  await gateway.close();
  rmSync(home, { recursive: true });
});

it('passes to the journal what the gateway keeps and expects, proves its anchor, and passes on each verdict', async () => {
  uplink.start();
  const session = await gateway.session();
  await session.welcome({ journalHead: HEAD, streams: [{ terminalId: '1', nextSequence: 4 }] });
  await expect.poll(() => received).toEqual([['welcomed', [{ terminalId: '1', nextSequence: 4 }], 7]]);
  anchor = HEAD;
  await clock.advance(10_000);
  expect((await session.take('heartbeat')).body.anchor).toMatchObject({ row: 7 });
  const { CONTINUES, BEHIND, FORKED, JOURNAL_VERDICT_UNSPECIFIED } = JournalVerdict;
  for (const journalVerdict of [CONTINUES, BEHIND, FORKED, JOURNAL_VERDICT_UNSPECIFIED, 99 as JournalVerdict])
    session.send('heartbeatAnswer', { timeMs: 1, journalVerdict, journalHead: HEAD });
  await expect
    .poll(() => received.slice(1))
    .toEqual([
      ['continues', 7],
      ['behind', 7],
      ['forked', 7],
      ['unknown', 7],
      ['unknown', 7],
    ]);
});

it('reports to the journal that its generation is fenced, and waits long before the next try', async () => {
  uplink.start();
  const session = await gateway.session();
  const goodbye = { code: GoodbyeCode.FENCED, reason: 'generation 1 was followed by 2', retryAfterMs: 0 };
  session.send('goodbye', goodbye);
  await expect.poll(() => received).toEqual([['fenced', 'generation 1 was followed by 2']]);
  expect(uplink.detail()).toMatchObject({ state: 'down', reason: 'fenced' });
  expect(clock.nextTimerInMs()).toBeGreaterThanOrEqual(60_000);
});
