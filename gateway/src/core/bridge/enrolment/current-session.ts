import type { AgentRow, AgentSessionRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

type Epoch = { readonly epoch: number };

/** Whether an open session becomes that of its agent at this node: a newer one there stays. Pure. */
export function takesPlaceOf(older: Epoch | undefined, mine: Epoch): boolean {
  return older === undefined || older.epoch <= mine.epoch;
}

/** How a session ends that is not the newest of its agent any more, or whose key does not count; undefined where it goes on. Pure. */
export function endOfStale(
  open: Epoch | undefined,
  agent: Pick<AgentRow, 'epoch' | 'state' | 'nodeId'> | undefined,
): 'superseded' | 'revoked' | undefined {
  if (!open || !agent || open.epoch >= agent.epoch) return undefined;
  return agent.state === 'active' && agent.nodeId !== null ? 'superseded' : 'revoked';
}

/** The row of an agent whose session at a node has ended: it is connected nowhere; undefined where it has come back already. Pure. */
export function rowAfterLeaving(
  agent: AgentRow | undefined,
  { epoch, nodeId }: Epoch & { readonly nodeId: string },
): AgentRow | undefined {
  return agent?.epoch === epoch && agent.nodeId === nodeId ? { ...agent, nodeId: null } : undefined;
}

/** Notes a session in the commit of its epoch. Pure. */
export function sessionBegan(
  { id: agentId, epoch, nodeId }: Pick<AgentRow, 'id' | 'epoch' | 'nodeId'>,
  bootId: string,
  createdAtMs: number,
): Change {
  const row: AgentSessionRow = { agentId, epoch, bootId, nodeId, endedAtMs: null, createdAtMs, version: 1 };
  return { op: 'insert', table: 'agentSessions', row };
}

/** Notes the end of a session; nothing where it is noted, or the session was begun by an older build. Pure. */
export function sessionEnded(row: AgentSessionRow | undefined, endedAtMs: number): readonly Change[] {
  return row?.endedAtMs === null
    ? [{ op: 'update', table: 'agentSessions', row: { ...row, endedAtMs } }]
    : [];
}
