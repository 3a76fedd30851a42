import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOME_FILES } from '@tillbridge/agent/home/home-files.js';
import { BlobCipher } from '@tillbridge/agent/journal/blob-cipher.js';
import { JOURNAL_LIMITS, type JournalRow } from '@tillbridge/agent/journal/journal.js';
import { loadOrCreateKey } from '@tillbridge/agent/journal/key-file.js';
import { SqliteJournal } from '@tillbridge/agent/journal/sqlite-journal.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { AgentClient } from '../clients/agent-client.js';
import { makeHome, partHome } from '../stack/layout.js';
import {
  type AgentPart,
  type AgentSettings,
  seedGateway,
  startAgent,
  startGateway,
  startSimulator,
} from '../stack/parts.js';

/** The system as processes, with an agent of two terminals that can be ended and started again. */
export interface BenchStore {
  /** The agent's home. */
  readonly agentHome: string;
  startAgent(): Promise<AgentPart>;
  end(): Promise<void>;
}

/** Terminals of the agent. */
const TERMINALS = 2;
/** How long terminals and gateway may take until they are there. */
export const READY_TIMEOUT_MS = 60_000;

/** Starts gateway and simulator on a separate home; the first start of the agent enrols it. */
export async function openBenchStore(): Promise<BenchStore> {
  const home = mkdtempSync(join(tmpdir(), 'bench-store-'));
  makeHome(home);
  const seed = await seedGateway(home, 0);
  const gateway = await startGateway(home, 0);
  const simulator = await startSimulator(home, {
    port: 0,
    proxyPort: 0,
    auto: true,
    autoDelayMs: 0,
    gatewayUrl: gateway.url,
    simulatorToken: seed.simulatorToken,
  });
  const settings: AgentSettings = {
    port: 0,
    nexoPort: 0,
    entityId: seed.merchant.entityId,
    bridgeUrl: gateway.bridgeUrl,
    terminals: simulator.terminals.slice(0, TERMINALS),
    offline: undefined,
  };
  return {
    agentHome: partHome(home, 'agent'),
    startAgent: () => startAgent(home, settings),
    async end() {
      await simulator.process.stop();
      await gateway.process.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Makes one approved sale, and multiplies its rows in the journal until there are `count` rows. */
export async function fillJournal(store: BenchStore, count: number): Promise<void> {
  const agent = await store.startAgent();
  const reference = `sale-${randomBytes(8).toString('hex')}`;
  const client = new AgentClient(agent);
  await client.untilGateway('up', READY_TIMEOUT_MS);
  await client.untilTerminalsReady(READY_TIMEOUT_MS);
  const { body } = await client.sale({ reference, amount: '12.34', currency: 'EUR', terminalId: '1001' });
  await agent.process.stop();
  if (body.outcome !== 'approved') throw new Error(`the first sale came to ${JSON.stringify(body)}`);
  const key = loadOrCreateKey(join(store.agentHome, HOME_FILES.blobKey), systemRandom);
  const journal = await SqliteJournal.open({
    path: join(store.agentHome, HOME_FILES.journal),
    cipher: new BlobCipher(key, systemRandom),
    clock: systemClock,
  });
  const rows = await journal.rowsOf(reference);
  const sales = Math.ceil(count / rows.length);
  const perWrite = Math.floor(JOURNAL_LIMITS.maxRowsPerWrite / rows.length);
  for (let at = 0; at < sales; at += perWrite) {
    const numbers = Array.from({ length: Math.min(perWrite, sales - at) }, (_none, next) => at + next);
    const copies = numbers.flatMap((number) => copyOf(rows, reference, number));
    await journal.append({ atMs: systemClock.nowMs(), rows: copies });
  }
  await journal.close();
}

/** The rows of a sale under a new reference and new message ids. */
function copyOf(rows: readonly JournalRow[], reference: string, number: number): readonly JournalRow[] {
  const renewed = rows.reduce(
    (text, { messageId }) =>
      messageId === undefined ? text : text.replaceAll(messageId, freshId(messageId, number)),
    JSON.stringify(
      rows.map(({ kind, terminalId, data, messageId, statusOf, reference: of }) => ({
        ...{ kind, terminalId, data, reference: of },
        ...(messageId !== undefined && { messageId }),
        ...(statusOf !== undefined && { statusOf }),
      })),
    ).replaceAll(reference, `copy-${number}`),
  );
  return JSON.parse(renewed) as readonly JournalRow[];
}

/** A message id of the same form. */
function freshId(messageId: string, number: number): string {
  const tail = number.toString(16).padStart(8, '0');
  return messageId.slice(0, messageId.length - tail.length) + tail;
}
