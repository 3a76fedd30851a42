import type { Command } from 'commander';
import type { AgentRow, JournalHeadRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { addCommand, type ConfigOption, configOf, printJson, withHomeStore } from './gateway-command.js';

/** What `agents` prints of an agent. */
export interface AgentView extends Pick<AgentRow, 'entityId' | 'generation' | 'epoch'> {
  readonly agentId: string;
  readonly terminals: readonly string[];
  /** The stored head of its journal; absent until the agent sent one. */
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
  addCommand(
    program,
    'agents',
    'List the agents, the stored heads of their journals, and alarms about them.',
  ).action(async (options: ConfigOption) =>
    printJson(await withHomeStore(configOf(options), (store) => listAgents(store))),
  );
}
