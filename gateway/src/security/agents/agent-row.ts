import type { AgentRow } from '../../kernel/store/rows.js';

/** The generation of a journal that was never restored. */
export const FIRST_GENERATION = 1;

/** What a new agent is. */
interface NewAgent extends Pick<AgentRow, 'id' | 'entityId' | 'publicKey'> {
  readonly terminals: readonly string[];
  /** Default {@link FIRST_GENERATION}. */
  readonly generation?: number;
}

/** The row of a new agent. */
export function newAgentRow(agent: NewAgent, nowMs: number): AgentRow {
  const { id, entityId, publicKey, terminals, generation = FIRST_GENERATION } = agent;
  return {
    id,
    entityId,
    state: 'active',
    publicKey,
    nextPublicKey: null,
    formerPublicKey: null,
    terminals: JSON.stringify(terminals),
    generation,
    allowedGeneration: null,
    allowedUntilMs: null,
    epoch: 0,
    nodeId: null,
    createdAtMs: nowMs,
    version: 1,
  };
}

/** The agent's row with another key at once: the former one is refused, and so is what its session still writes. */
export function withNewKey(agent: AgentRow, publicKey: string): AgentRow {
  return {
    ...agent,
    state: 'active',
    publicKey,
    formerPublicKey: agent.publicKey,
    nextPublicKey: null,
    allowedGeneration: null,
    allowedUntilMs: null,
    nodeId: null,
  };
}
