import type { Command } from 'commander';
import { loadConfig } from '../config/config.js';
import { openHomeStore } from '../home/open-store.js';
import type { AgentRow, JournalHeadRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { configOption } from './token-commands.js';

/** An agent as an operator sees it. */
export interface AgentView {
  readonly agentId: string;
  readonly entityId: string;
  readonly terminals: readonly string[];
  /** Counts restores of its journal; older ones are refused. */
  readonly generation: number;
  /** Sessions so far. */
  readonly epoch: number;
  /** What is kept of its journal; absent until it was heard. */
  readonly journal?: {
    readonly lastRow: number;
    readonly hash: string;
    readonly heardAt: string;
    readonly alarm?: { readonly kind: 'behind' | 'forked'; readonly row: number; readonly at: string };
  };
}

/** Every agent of every merchant. @throws StoreUnavailableError */
export async function listAgents(store: Pick<Store, 'find' | 'get'>): Promise<readonly AgentView[]> {
  const agents: AgentView[] = [];
  for (const kind of ['merchant', 'channel']) {
    for (const { id } of await store.find('entities', 'kind', [kind])) {
      for (const row of await store.find('agents', 'entity', [id]))
        agents.push(viewOf(row, await store.get('journalHeads', [row.id])));
    }
  }
  return agents;
}

function viewOf(agent: AgentRow, head: JournalHeadRow | undefined): AgentView {
  const { id, entityId, terminals, generation, epoch } = agent;
  return {
    agentId: id,
    entityId,
    terminals: JSON.parse(terminals) as string[],
    generation,
    epoch,
    ...(head && { journal: journalOf(head) }),
  };
}

function journalOf(head: JournalHeadRow): NonNullable<AgentView['journal']> {
  const { lastRow, hash, updatedAtMs, alarm, alarmRow, alarmAtMs } = head;
  const at = new Date(alarmAtMs ?? 0).toISOString();
  return {
    lastRow,
    hash,
    heardAt: new Date(updatedAtMs).toISOString(),
    ...(alarm && { alarm: { kind: alarm, row: alarmRow ?? 0, at } }),
  };
}

/** `agents`. */
export function addAgentCommands(program: Command): void {
  program
    .command('agents')
    .description('List the agents, the heads of their journals that are kept, and alarms about them.')
    .addOption(configOption())
    .action(async (options: { readonly config?: string }) => {
      const store = await openHomeStore(loadConfig(options.config, process.env));
      try {
        process.stdout.write(`${JSON.stringify(await listAgents(store), undefined, 2)}\n`);
      } finally {
        await store.close();
      }
    });
}
