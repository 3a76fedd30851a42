import { EnrolmentPurpose, type EnrolmentRequest } from '@tillbridge/wire/bridge/messages.js';
import { wireWords } from '@tillbridge/wire/bridge/wire-words.js';
import type { AgentRow, EnrolmentCodeRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { newAgentRow, withNewKey } from '../../../security/agents/agent-row.js';
import type { TrustAlert } from './trust-alerts.js';

/** Limits of one-time codes. */
export const ENROLMENT_LIMITS = {
  /** From its issue to its use. */
  validMs: 10 * 60_000,
  /** Requests that name a code and are not by it, before it is of no use any more. */
  failures: 5,
} as const;

/** What was found out about a request. */
export interface EnrolmentFacts {
  readonly request: Pick<EnrolmentRequest, 'purpose' | 'agentId'>;
  readonly code: EnrolmentCodeRow | undefined;
  /** The agent that the code is for, where there is one. */
  readonly agent: AgentRow | undefined;
  readonly isByCode: boolean;
  /** The key that the sender has shown to have, SPKI PEM. */
  readonly key: string | undefined;
  /** The channel that the request names is one of this connection. */
  readonly channelFits: boolean;
  readonly nowMs: number;
}

/** What to commit, and what to answer. */
export type EnrolmentVerdict =
  | { readonly kind: 'take'; readonly changes: readonly Change[] }
  /** The answer was lost and is given again. */
  | { readonly kind: 'repeat' }
  | { readonly kind: 'refuse'; readonly changes: readonly Change[]; readonly alert?: TrustAlert };

const PURPOSES = wireWords(EnrolmentPurpose);

/** The purpose as messages name it. */
export function wirePurpose(purpose: EnrolmentCodeRow['purpose']): EnrolmentPurpose {
  return PURPOSES[purpose];
}

/** Whether a request makes an agent's key known. Every refusal looks the same to the sender. */
export function decideEnrolment(facts: EnrolmentFacts): EnrolmentVerdict {
  const { request, code, agent, isByCode, key, channelFits, nowMs } = facts;
  const refused: EnrolmentVerdict = { kind: 'refuse', changes: [] };
  if (!code || code.failures >= ENROLMENT_LIMITS.failures || nowMs >= code.expiresAtMs) return refused;
  if (!isByCode) return guessed(code);
  if (key === undefined || !channelFits || request.purpose !== wirePurpose(code.purpose)) return refused;
  if (request.agentId !== '' && request.agentId !== code.agentId) return refused;
  if (code.usedFor !== null) return code.usedFor === key ? { kind: 'repeat' } : refused;
  const change = agentChange(code, agent, request.agentId, key, nowMs);
  if (!change) return refused;
  const used: Change = { op: 'update', table: 'enrolmentCodes', row: { ...code, usedFor: key } };
  return { kind: 'take', changes: [used, change] };
}

function guessed(code: EnrolmentCodeRow): EnrolmentVerdict {
  const failures = code.failures + 1;
  const changes: Change[] = [{ op: 'update', table: 'enrolmentCodes', row: { ...code, failures } }];
  if (failures < ENROLMENT_LIMITS.failures) return { kind: 'refuse', changes };
  const detail = `code ${code.id}: ${failures} requests were not by it; it is of no use any more`;
  return {
    kind: 'refuse',
    changes,
    alert: { code: 'enrolment-code-guessed', subject: code.agentId, entityId: code.entityId, detail },
  };
}

/** What the code does with the agent; undefined where the agent is not as it was when the code was issued. */
function agentChange(
  code: EnrolmentCodeRow,
  agent: AgentRow | undefined,
  claimedId: string,
  key: string,
  nowMs: number,
): Change | undefined {
  const { agentId: id, entityId, generation } = code;
  if (code.purpose === 'new-agent') {
    if (agent || claimedId !== '') return undefined;
    const terminals = JSON.parse(code.terminals) as string[];
    const row = newAgentRow({ id, entityId, publicKey: key, terminals, generation }, nowMs);
    return { op: 'insert', table: 'agents', row };
  }
  if (!agent) return undefined;
  if (code.purpose === 'new-key') {
    if (agent.state !== 'active' || claimedId !== id || key === agent.publicKey) return undefined;
    return { op: 'update', table: 'agents', row: { ...agent, nextPublicKey: key } };
  }
  if (agent.generation >= generation || key === agent.publicKey) return undefined;
  const row = { ...withNewKey(agent, key), generation, epoch: agent.epoch + 1 };
  return { op: 'update', table: 'agents', row };
}
