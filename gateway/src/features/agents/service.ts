import { createPublicKey } from 'node:crypto';
import { CODE_BYTES, codeKey, formatEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { keyFingerprint } from '@tillbridge/wire/bridge/identity-key.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { ENROLMENT_LIMITS, wirePurpose } from '../../core/bridge/enrolment/decide-enrolment.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { AgentRow, EnrolmentCodeRow, JournalHeadRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { FIRST_GENERATION } from '../../security/agents/agent-row.js';

/** What agents are looked after with. */
export interface AgentDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  /** The gateway's identity key, SubjectPublicKeyInfo in DER: codes have its fingerprint. */
  readonly identityKey: Uint8Array;
  /** In live mode; codes tell it. */
  readonly isLive?: boolean;
  /** Where agents reach the gateway; codes carry it where it is known. */
  readonly bridgeUrl?: string;
  /** Who does it, for the record. */
  readonly actor: string;
}

/** Limits of an operator's word. */
export const ALLOWANCE_LIMITS = {
  /** How long an allowed generation may take to come. */
  validMs: 24 * 3_600_000,
  /** Highest generation that may be named, above the present one: a journal that was restored again before it reached the gateway. */
  ahead: 10,
} as const;

/** A code as it is given out. */
interface IssuedCode {
  readonly agentId: string;
  readonly code: string;
  readonly expiresAt: string;
  /** What to do with it, on the agent's machine. */
  readonly next: string;
}

/** Issues a code for a new agent. @throws OperatorError when the entity is unknown or the agent is known */
export async function issueEnrolCode(
  deps: AgentDeps,
  about: { readonly entityId: string; readonly agentId: string; readonly terminals: readonly string[] },
): Promise<IssuedCode> {
  const { entityId, agentId, terminals } = about;
  if (!(await deps.store.get('entities', [entityId])))
    throw new OperatorError(`there is no entity ${entityId}: "entity list" shows them`);
  if (await deps.store.get('agents', [agentId]))
    throw new OperatorError(
      `agent ${agentId} is enrolled: "agents rotate-key" gives it another key, "agents replace" moves it to another machine`,
    );
  return issue(deps, {
    purpose: 'new-agent',
    agentId,
    entityId,
    terminals: JSON.stringify(terminals),
    generation: FIRST_GENERATION,
  });
}

/** Issues a code for another key of an agent that goes on as it is; the present key counts until the new one was used. @throws OperatorError */
export async function issueKeyCode(deps: AgentDeps, agentId: string): Promise<IssuedCode> {
  const agent = await activeAgent(deps.store, agentId);
  return issue(deps, { ...sameAgent(agent), purpose: 'new-key', generation: agent.generation });
}

/**
 * Issues a code by which another machine takes the place of a lost one: it brings the journal back from its copy, under its own key
 * and in the next generation. With the code's use the former key is refused.
 * @throws OperatorError
 */
export async function issueReplaceCode(
  deps: AgentDeps,
  agentId: string,
  generation?: number,
): Promise<IssuedCode> {
  const agent = await requireAgent(deps.store, agentId);
  const next = nextGeneration(agent, generation);
  return issue(deps, { ...sameAgent(agent), purpose: 'replacement', generation: next });
}

/** Allows the one generation that follows, for a journal that was restored on the agent's own machine. @throws OperatorError */
export async function allowGeneration(
  deps: AgentDeps,
  agentId: string,
  generation?: number,
): Promise<{ readonly agentId: string; readonly allowedGeneration: number; readonly until: string }> {
  const agent = await activeAgent(deps.store, agentId);
  const allowedGeneration = nextGeneration(agent, generation);
  const allowedUntilMs = deps.clock.nowMs() + ALLOWANCE_LIMITS.validMs;
  const row = { ...agent, allowedGeneration, allowedUntilMs };
  const record = audit(deps, 'agent.generation-allowed', agent, { generation: allowedGeneration });
  await deps.store.commit([{ op: 'update', table: 'agents', row }, record]);
  return { agentId, allowedGeneration, until: new Date(allowedUntilMs).toISOString() };
}

/** Revokes an agent's keys: its session writes nothing from now on, and is closed within a second. @throws OperatorError */
export async function revokeAgent(deps: AgentDeps, agentId: string): Promise<void> {
  const agent = await activeAgent(deps.store, agentId);
  const row: AgentRow = {
    ...agent,
    state: 'revoked',
    epoch: agent.epoch + 1,
    nodeId: null,
    allowedGeneration: null,
    allowedUntilMs: null,
  };
  await deps.store.commit([{ op: 'update', table: 'agents', row }, audit(deps, 'agent.revoked', agent)]);
}

/** What `agents` prints of an agent. */
interface AgentView extends Pick<AgentRow, 'entityId' | 'state' | 'generation' | 'epoch'> {
  readonly agentId: string;
  readonly terminals: readonly string[];
  /** The generation that an operator has allowed, and until when. */
  readonly allowedGeneration?: { readonly generation: number; readonly until: string };
  /** Another key waits for its first use. */
  readonly keyRotates?: true;
  /** The node that has its session; absent while it is not connected. */
  readonly node?: string;
  /** The stored head of its journal; absent until the agent sent one. */
  readonly journal?: {
    readonly lastRow: number;
    readonly hash: string;
    readonly reportedAt: string;
    readonly alarm?: { readonly kind: 'behind' | 'forked'; readonly row: number; readonly at: string };
  };
}

/** Every agent, or those of one entity. @throws StoreUnavailableError */
export async function listAgents(
  store: Pick<Store, 'find' | 'findAfter' | 'get'>,
  entityId?: string,
): Promise<readonly AgentView[]> {
  const views: AgentView[] = [];
  for (let after: string | undefined; ; ) {
    const page = { ...(after !== undefined && { after: [after] }) };
    const rows =
      entityId === undefined
        ? await store.findAfter('agents', page.after)
        : await store.find('agents', 'entity', [entityId], page);
    for (const row of rows) views.push(await viewOf(store, row));
    after = rows.at(-1)?.id;
    if (after === undefined) return views;
  }
}

/** One agent. @throws OperatorError */
export async function showAgent(store: Pick<Store, 'get'>, agentId: string): Promise<AgentView> {
  return viewOf(store, await requireAgent(store, agentId));
}

async function viewOf(store: Pick<Store, 'get'>, agent: AgentRow): Promise<AgentView> {
  const { id, entityId, state, terminals, generation, epoch, nextPublicKey } = agent;
  const { allowedGeneration, allowedUntilMs } = agent;
  const head = await store.get('journalHeads', [id]);
  const node = agent.nodeId === null ? undefined : await store.get('nodes', [agent.nodeId]);
  return {
    agentId: id,
    entityId,
    state,
    terminals: JSON.parse(terminals) as string[],
    generation,
    epoch,
    ...(allowedGeneration !== null && {
      allowedGeneration: {
        generation: allowedGeneration,
        until: new Date(allowedUntilMs ?? 0).toISOString(),
      },
    }),
    ...(node && { node: node.id }),
    ...(nextPublicKey !== null && { keyRotates: true as const }),
    ...(head && { journal: journalOf(head) }),
  };
}

function journalOf(head: JournalHeadRow): NonNullable<AgentView['journal']> {
  const { lastRow, hash, updatedAtMs, alarm, alarmRow, alarmAtMs } = head;
  const at = new Date(alarmAtMs ?? 0).toISOString();
  return {
    lastRow,
    hash,
    reportedAt: new Date(updatedAtMs).toISOString(),
    ...(alarm && { alarm: { kind: alarm, row: alarmRow ?? 0, at } }),
  };
}

type CodeAbout = Pick<EnrolmentCodeRow, 'purpose' | 'agentId' | 'entityId' | 'terminals' | 'generation'>;

const NEXT: Readonly<Record<CodeAbout['purpose'], string>> = {
  'new-agent':
    'tillbridge-agent install CODE; where its configuration stands already: tillbridge-agent enrol CODE --config FILE',
  'new-key': 'tillbridge-agent enrol CODE, then start the agent again',
  replacement:
    'tillbridge-agent restore --from COPY --key-file FILE --code CODE; without a copy: restore --as-is --code CODE',
};

async function issue(deps: AgentDeps, about: CodeAbout): Promise<IssuedCode> {
  const { store, clock, random, identityKey, isLive = false, bridgeUrl } = deps;
  const nowMs = clock.nowMs();
  const expiresAtMs = nowMs + ENROLMENT_LIMITS.validMs;
  const code = {
    purpose: wirePurpose(about.purpose),
    id: Buffer.from(random.bytes(CODE_BYTES.id)).toString('hex'),
    secret: random.bytes(CODE_BYTES.secret),
    gateway: keyFingerprint(identityKey),
    isLive,
    ...(bridgeUrl !== undefined && { bridgeUrl }),
  };
  const publicKey = createPublicKey(codeKey(code)).export({ type: 'spki', format: 'pem' }).toString();
  const row: EnrolmentCodeRow = {
    ...about,
    id: code.id,
    publicKey,
    failures: 0,
    expiresAtMs,
    usedFor: null,
    createdAtMs: nowMs,
    version: 1,
  };
  const record = audit(
    deps,
    'agent.code-issued',
    { id: about.agentId, entityId: about.entityId },
    { purpose: about.purpose, codeId: code.id },
  );
  await store.commit([{ op: 'insert', table: 'enrolmentCodes', row }, record]);
  return {
    agentId: about.agentId,
    code: formatEnrolmentCode(code),
    expiresAt: new Date(expiresAtMs).toISOString(),
    next: NEXT[about.purpose],
  };
}

function sameAgent({ id, entityId, terminals }: AgentRow) {
  return { agentId: id, entityId, terminals };
}

function nextGeneration(agent: AgentRow, requested: number = agent.generation + 1): number {
  const highest = agent.generation + ALLOWANCE_LIMITS.ahead;
  if (requested > agent.generation && requested <= highest) return requested;
  throw new OperatorError(
    `--generation ${requested}: agent ${agent.id} has generation ${agent.generation}; one of ${agent.generation + 1} to ${highest} can follow`,
  );
}

async function requireAgent(store: Pick<Store, 'get'>, agentId: string): Promise<AgentRow> {
  const agent = await store.get('agents', [agentId]);
  if (!agent) throw new OperatorError(`there is no agent ${agentId}: "agents list" shows them`);
  return agent;
}

async function activeAgent(store: Pick<Store, 'get'>, agentId: string): Promise<AgentRow> {
  const agent = await requireAgent(store, agentId);
  if (agent.state === 'revoked')
    throw new OperatorError(`agent ${agentId} is revoked: "agents replace" brings it back under another key`);
  return agent;
}

/** The record of what was done with an agent, and by whom. */
function audit(
  { clock, random, actor }: AgentDeps,
  kind: string,
  { id, entityId }: Pick<AgentRow, 'id' | 'entityId'>,
  more: object = {},
): Change {
  const nowMs = clock.nowMs();
  const payload = JSON.stringify({ agentId: id, by: actor, ...more });
  const row = {
    kind,
    entityId,
    paymentId: null,
    payload,
    expiresAtMs: null,
    createdAtMs: nowMs,
    version: 1,
  };
  return { op: 'insert', table: 'events', row: { id: newTimeOrderedId(random, nowMs), ...row } };
}
