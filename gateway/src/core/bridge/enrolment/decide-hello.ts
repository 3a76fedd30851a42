import { negotiateVersion } from '@tillbridge/wire/bridge/handshake.js';
import { BRIDGE_VERSIONS } from '@tillbridge/wire/bridge/limits.js';
import { GoodbyeCode, type Hello } from '@tillbridge/wire/bridge/messages.js';
import type { AgentRow } from '../../../kernel/store/rows.js';
import { withNewKey } from '../../../security/agents/agent-row.js';
import type { TrustAlert } from './trust-alerts.js';

/** Which of the agent's keys signed a Hello; undefined: none. */
export type ProvenBy = 'current' | 'next' | 'former' | undefined;

/** What was found out about a Hello. */
export interface HelloFacts {
  readonly hello: Hello;
  readonly agent: AgentRow | undefined;
  readonly provenBy: ProvenBy;
  /** The channel that the Hello names is one of this connection. */
  readonly channelFits: boolean;
  /** The database was put back, and the agent may have been revoked since. */
  readonly isHeld: boolean;
  readonly nowMs: number;
}

/** The agent's row with its next epoch, or why there is no session. */
type HelloVerdict =
  | { readonly kind: 'admit'; readonly version: number; readonly row: AgentRow }
  | {
      readonly kind: 'refuse';
      readonly code: GoodbyeCode;
      readonly reason: string;
      readonly alert?: TrustAlert;
    };

/** The same for an unknown agent, a wrong signature and a key that counts no more: a stranger learns nothing. */
const UNKNOWN = 'unknown agent, or the signature is not the agent’s';

/** Whether a Hello begins a session. An older generation is fenced; a newer one needs an operator's permission (docs/bridge.md). */
export function decideHello({
  hello,
  agent,
  provenBy,
  channelFits,
  isHeld,
  nowMs,
}: HelloFacts): HelloVerdict {
  if (!agent || !provenBy) return refuse(GoodbyeCode.UNAUTHENTICATED, UNKNOWN);
  const { id: subject, entityId } = agent;
  if (agent.state === 'revoked' || provenBy === 'former')
    return refuse(GoodbyeCode.UNAUTHENTICATED, UNKNOWN, {
      code: 'agent-key-revoked',
      subject,
      entityId,
      detail: provenBy === 'former' ? 'the key before the present one' : 'a key of a revoked agent',
    });
  if (!channelFits)
    return refuse(
      GoodbyeCode.UNAUTHENTICATED,
      'the agent sees a TLS key that is not this gateway’s: another party stands between, or bridge.tlsPins is incomplete',
      { code: 'agent-channel-foreign', subject, entityId, detail: hello.channel.slice(0, 64) },
    );
  if (isHeld) return refuse(GoodbyeCode.OVERLOADED, 'the gateway waits for its operator');
  const { versionMin: min, versionMax: max, generation } = hello;
  const version = negotiateVersion({ min, max });
  if (version === undefined) {
    const ours = `${BRIDGE_VERSIONS.min} to ${BRIDGE_VERSIONS.max}`;
    return refuse(GoodbyeCode.VERSION_MISMATCH, `the agent speaks ${min} to ${max}, the gateway ${ours}`);
  }
  if (generation < agent.generation)
    return refuse(
      GoodbyeCode.FENCED,
      `generation ${generation} was followed by ${agent.generation}: this copy of the journal is old`,
      {
        code: 'agent-fenced',
        subject,
        entityId,
        detail: `generation ${generation} came, ${agent.generation} is the agent’s`,
      },
    );
  if (generation > agent.generation && !isAllowed(generation, agent, nowMs))
    return refuse(
      GoodbyeCode.GENERATION_NOT_ALLOWED,
      `generation ${generation} follows ${agent.generation} only by an operator's word: tillbridge-gateway agents allow-generation ${subject}`,
      {
        code: 'agent-generation-jump',
        subject,
        entityId,
        detail: `from ${agent.generation} to ${generation}`,
      },
    );
  return { kind: 'admit', version, row: nextRow(agent, provenBy, generation) };
}

function isAllowed(generation: number, agent: AgentRow, nowMs: number): boolean {
  return generation === agent.allowedGeneration && nowMs < (agent.allowedUntilMs ?? 0);
}

function nextRow(agent: AgentRow, provenBy: ProvenBy, generation: number): AgentRow {
  const { nextPublicKey, allowedGeneration, allowedUntilMs } = agent;
  const row = provenBy === 'next' && nextPublicKey !== null ? withNewKey(agent, nextPublicKey) : agent;
  const kept = generation === agent.generation;
  return {
    ...row,
    generation,
    allowedGeneration: kept ? allowedGeneration : null,
    allowedUntilMs: kept ? allowedUntilMs : null,
    epoch: agent.epoch + 1,
  };
}

function refuse(code: GoodbyeCode, reason: string, alert?: TrustAlert): HelloVerdict {
  return { kind: 'refuse', code, reason, ...(alert && { alert }) };
}
