import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { auditOf } from '../../../kernel/audit/audit.js';
import type { AGENT_COMMAND_ERRORS } from '../../../kernel/errors/error-table.js';
import { decideAgain } from '../../../kernel/store/decide-again.js';
import type { AgentCommandRow, AgentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { COMMAND_LIMITS, type CommandActionName, newCommand } from './agent-command.js';

/** A command was refused; nothing was written. Exit code 2. */
export class AgentCommandError extends CodedError<keyof typeof AGENT_COMMAND_ERRORS> {}

/** Collaborators of {@link requestCommand}. */
export interface CommandDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly random: Random;
  /** Entities whose agents there are; absent: all, for an operator. */
  readonly owners?: readonly string[];
  /** Who requests it, for the audit record of the same commit. */
  readonly actor: string;
}

/** The requested command. */
export interface RequestedCommand {
  readonly action: CommandActionName;
  /** The sale to cancel, or to report with the status; no other command has one. */
  readonly reference?: string;
}

/** Stores a command to an agent, which gets it at once if it is connected, else when it comes back in time. @throws AgentCommandError, StoreUnavailableError */
export async function requestCommand(
  deps: CommandDeps,
  agentId: string,
  { action, reference }: RequestedCommand,
): Promise<AgentCommandRow> {
  const { store, actor } = deps;
  if (!fits(action, reference))
    throw new AgentCommandError(
      'wrong-reference',
      `${action}: cancel-sale needs a reference, status may have one, and no other command takes one`,
    );
  const round = async (): Promise<AgentCommandRow> => {
    const agent = await agentOf(deps, agentId);
    const { entityId, state } = agent;
    if (state === 'revoked') throw new AgentCommandError('revoked', `agent ${agentId} is revoked`);
    const waiting = await store.find('agentCommands', 'agent', [agentId, 'waiting'], {
      limit: COMMAND_LIMITS.waiting,
    });
    if (waiting.length >= COMMAND_LIMITS.waiting)
      throw new AgentCommandError('too-many', `agent ${agentId} has ${waiting.length} commands that wait`);
    const requested = { agentId, entityId, action, reference: reference ?? null, requestedBy: actor };
    const { row, change } = newCommand(requested, deps);
    const detail = { commandId: row.id, command: action, ...(reference !== undefined && { reference }) };
    await store.commit([
      change,
      // One that is requested at the same moment conflicts: together they would be too many.
      { op: 'update', table: 'agents', row: agent },
      auditOf(deps, { actor, action: 'agents command', subject: agentId, detail }),
    ]);
    return row;
  };
  return decideAgain(deps, round, { key: `agent ${agentId}` });
}

function fits(action: CommandActionName, reference: string | undefined): boolean {
  return action === 'status' || (action === 'cancel-sale') === (reference !== undefined);
}

/** A command to an agent. @throws AgentCommandError, StoreUnavailableError */
export async function findCommand(
  deps: Pick<CommandDeps, 'store' | 'owners'>,
  agentId: string,
  commandId: string,
): Promise<AgentCommandRow> {
  await agentOf(deps, agentId);
  const row = await deps.store.get('agentCommands', [commandId]);
  if (row?.agentId === agentId) return row;
  throw new AgentCommandError('unknown-command', `agent ${agentId} has no command ${commandId}`);
}

async function agentOf(
  { store, owners }: Pick<CommandDeps, 'store' | 'owners'>,
  agentId: string,
): Promise<AgentRow> {
  const agent = await store.get('agents', [agentId]);
  if (agent && (owners === undefined || owners.includes(agent.entityId))) return agent;
  throw new AgentCommandError('unknown-agent', `there is no agent ${agentId}`);
}
