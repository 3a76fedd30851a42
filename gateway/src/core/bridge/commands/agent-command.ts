import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import {
  type Command,
  CommandAction,
  type CommandResult,
  CommandState,
  type Heartbeat,
  type SaleReport,
} from '@tillbridge/wire/bridge/messages.js';
import { wireWords } from '@tillbridge/wire/bridge/wire-words.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { AgentCommandRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { StoredSaleReport } from '../../payments/story/sale-report.js';

/** Limits of commands to agents. */
export const COMMAND_LIMITS = {
  /** Commands of one agent that wait for their results; more are refused. */
  waiting: 20,
  /** How long a command is sent to an agent that was away, in milliseconds. */
  validMs: 3_600_000,
  /** How often commands are looked for whose signal was lost, in milliseconds. */
  pollMs: 1_000,
} as const;

/** The action of a command. */
export type CommandActionName = AgentCommandRow['action'];

/** A command as it is requested. */
type NewCommand = Pick<AgentCommandRow, 'agentId' | 'entityId' | 'action' | 'reference' | 'requestedBy'>;

/** The row of a new command, and the change that stores it: it belongs into the commit of what decided on it. */
export function newCommand(
  command: NewCommand,
  { clock, random }: { readonly clock: Pick<Clock, 'nowMs'>; readonly random: Random },
): { readonly row: AgentCommandRow; readonly change: Change } {
  const nowMs = clock.nowMs();
  const row: AgentCommandRow = {
    ...command,
    id: newMessageId(nowMs, random),
    state: 'waiting',
    result: null,
    expiresAtMs: nowMs + COMMAND_LIMITS.validMs,
    endedAtMs: null,
    createdAtMs: nowMs,
    version: 1,
  };
  return { row, change: { op: 'insert', table: 'agentCommands', row } };
}

const ACTIONS = wireWords(CommandAction);

/** The command on the wire. */
export function wireCommand({ action, reference }: AgentCommandRow): Command {
  return { action: ACTIONS[action], reference: reference ?? '' };
}

/** The command with what the agent answered. Pure. */
export function endedBy(row: AgentCommandRow, result: CommandResult, nowMs: number): AgentCommandRow {
  const { reasonCode, reason, status, saleState, saleOutcome, saleReport } = result;
  const reported = present({
    reasonCode: reasonCode || undefined,
    reason: reason || undefined,
    saleState: saleState || undefined,
    saleOutcome: saleOutcome || undefined,
    status: status && statusOf(status),
    saleReport: saleReport && storedReport(saleReport),
  });
  return {
    ...row,
    state: result.state === CommandState.DONE ? 'done' : 'refused',
    result: JSON.stringify(reported),
    endedAtMs: nowMs,
  };
}

/** A report as it is stored: the heads of frames in hex. */
function storedReport({ frames, ...report }: SaleReport): StoredSaleReport {
  return { ...report, frames: frames.map(({ head, ...frame }) => ({ ...frame, head: toHex(head) })) };
}

/** A command that no agent has answered in time. Pure. */
export function expired(row: AgentCommandRow, nowMs: number): AgentCommandRow {
  return { ...row, state: 'expired', endedAtMs: nowMs };
}

/** The state of a store as operators see it. */
function statusOf({ queueDepth, parked, oldestAgeSeconds, exposure, terminals }: Heartbeat): object {
  return {
    queueDepth,
    parked,
    oldestAgeSeconds,
    exposure: exposure.map(({ terminalId, sum, count }) => ({ terminalId, count, ...sum })),
    terminals,
  };
}

/** The result without the content of a report: a timeline shows that, to those who may see it. */
function shownResult(result: string): object {
  const { saleReport, ...shown } = JSON.parse(result) as { readonly saleReport?: StoredSaleReport };
  if (!saleReport) return shown;
  return { ...shown, reported: { rows: saleReport.rows.length, frames: saleReport.frames.length } };
}

/** A command as the API and the command line show it. */
export function commandView(row: AgentCommandRow): object {
  const { id, agentId, action, reference, state, result, requestedBy, createdAtMs, expiresAtMs, endedAtMs } =
    row;
  const time = (ms: number): string => new Date(ms).toISOString();
  return {
    id,
    agentId,
    action,
    ...(reference !== null && { reference }),
    state,
    ...(result !== null && { result: shownResult(result) }),
    requestedBy,
    createdAt: time(createdAtMs),
    expiresAt: time(expiresAtMs),
    ...(endedAtMs !== null && { endedAt: time(endedAtMs) }),
  };
}
