import type { CommandResult } from '@tillbridge/wire/bridge/messages.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { AgentCommandRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../../kernel/store/store.js';
import { endedBy, expired } from './agent-command.js';

/** What ends of commands are stored with. */
interface ResultDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Between a command and its result it may expire: once. */
const ATTEMPTS = 2;

/**
 * Stores what an agent has answered, also where the command has expired since: the agent has carried it out. A result of a command that is none
 * of this agent's, or has its result, changes nothing.
 * @param fence fails the commit when the agent has a newer session
 * @throws CommitConflict of the fence, StoreUnavailableError
 */
export async function takeResult(
  deps: ResultDeps,
  agentId: string,
  result: CommandResult,
  fence: Change,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await deps.store.get('agentCommands', [result.commandId]);
    if (row?.agentId !== agentId || row.state === 'done' || row.state === 'refused') return;
    if (await end(deps, endedBy(row, result, deps.clock.nowMs()), fence)) return;
  }
}

/** Ends a command that no agent has taken in time; true where it is over. @throws StoreUnavailableError */
export async function endExpired(deps: ResultDeps, row: AgentCommandRow): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  if (nowMs < row.expiresAtMs) return false;
  await end(deps, expired(row, nowMs));
  return true;
}

/** False where another process was faster. */
async function end(
  { store }: ResultDeps,
  row: AgentCommandRow,
  ...fences: readonly Change[]
): Promise<boolean> {
  try {
    await store.commit([...fences, { op: 'update', table: 'agentCommands', row }]);
    return true;
  } catch (error) {
    if (!(error instanceof CommitConflict) || error.conflict.kind === 'field') throw error;
    return false;
  }
}
