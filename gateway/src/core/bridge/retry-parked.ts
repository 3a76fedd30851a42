import { BridgeError, decodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import type { Outcome } from '@tillbridge/wire/bridge/messages.js';
import { wipe } from '@tillbridge/wire/bytes.js';
import { clearAlert } from '../../kernel/alerts/alert-changes.js';
import type { Owner } from '../../kernel/nodes/node-lease.js';
import type { AgentRow, ParkedRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict } from '../../kernel/store/store.js';
import { VaultError } from '../../security/vault/vault.js';
import { OutsidePolicyError, type PaymentResult, StaleSessionError } from '../payments/rules/requests.js';
import { isStreamEnvelope, isStreamKind, type StreamEnvelope } from './backlog-machine.js';
import { callService, isPassing, type MessageHandlerDeps, type ParkReason } from './message-handler.js';
import { parkedSubject } from './parked/parked-subject.js';
import { heldBackBy, parkedOfSale, stillParked } from './same-sale.js';
import { wireOutcome } from './wire-outcome.js';
import { type ServiceCall, translateStream, UntranslatableError } from './wire-translation.js';

/** Limits of trying parked messages again. */
export const RETRY_LIMITS = {
  /** Messages of one round. */
  batch: 20,
  /** From one round to the next, in milliseconds. */
  intervalMs: 5_000,
} as const;

const BEHIND: ParkReason = 'behind-parked';

/** What {@link retryParked} works with. */
interface RetryDeps extends Pick<MessageHandlerDeps, 'store' | 'service' | 'seal' | 'log' | 'clock'> {
  /** Messages of agents that are connected to another node are left to that one. Absent: there is no other one. */
  readonly node?: Pick<Owner, 'id'>;
  /** Sends the outcome to the agent if it is connected; any other requests it when it reconnects. */
  readonly acknowledge: (agentId: string, messageId: string, outcome: Outcome) => void;
}

/**
 * Tries parked messages again that an operator has chosen (`tillbridge-gateway inbox retry`), under their own ids: a stored answer is
 * given again. One that fails again stays parked, with a note of the fault.
 * @throws StoreUnavailableError
 */
export async function retryParked(deps: RetryDeps): Promise<void> {
  const rows = await deps.store.find('parked', 'state', ['retry'], { limit: RETRY_LIMITS.batch });
  for (const row of rows) {
    if (await isElsewhere(deps, row)) continue;
    const before = isStreamKind(row.kind) && (await heldBackBy(deps.store, row.kind, row));
    if (before) await holdBack(deps, row, before);
    else await retry(deps, row);
  }
}

/** Whether the agent has its session at another node, which sends it the outcome. */
async function isElsewhere({ store, node }: RetryDeps, { agentId }: ParkedRow): Promise<boolean> {
  const { nodeId = null } = (await store.get('agents', [agentId])) ?? {};
  if (!node || nodeId === null || nodeId === node.id) return false;
  return (await store.get('nodes', [nodeId])) !== undefined;
}

/** Keeps a message parked until an earlier one of its sale is resolved: one sale keeps the order of its stream. */
function holdBack(deps: RetryDeps, row: ParkedRow, before: ParkedRow): Promise<void> {
  const note = `waits for ${before.messageId}, an earlier message of the sale`;
  return write(deps, { ...row, state: 'waiting', reasonCode: BEHIND, note }, stillParked(before));
}

/** Marks the messages that waited for a resolved one for their next try: with its own commit, because no other work comes back to them. */
async function released({ store }: RetryDeps, resolved: ParkedRow): Promise<readonly Change[]> {
  const rows = await parkedOfSale(store, resolved);
  return rows
    .filter(({ state, reasonCode }) => state === 'waiting' && reasonCode === BEHIND)
    .map((row) => ({ op: 'update', table: 'parked', row: { ...row, state: 'retry' } }));
}

async function retry(deps: RetryDeps, row: ParkedRow): Promise<void> {
  const { agentId, messageId } = row;
  const agent = await deps.store.get('agents', [agentId]);
  if (!agent) return;
  try {
    const result = await takeUp(deps, row, agent);
    const { disposition, resultCode } = result;
    const resolved = {
      ...row,
      state: 'resolved',
      note: `${disposition} ${resultCode}`,
      message: null,
      keyId: null,
    } as const;
    const cleared = clearAlert('message-parked', parkedSubject(row), deps.clock.nowMs());
    await write(deps, resolved, cleared, ...(await released(deps, row)));
    deps.log.info({ agentId, messageId, disposition, resultCode }, 'parked message resolved');
    deps.acknowledge(agentId, messageId, wireOutcome(result));
  } catch (error) {
    // A temporary fault, or the agent has just reconnected: the next round tries again.
    if (isPassing(error) || error instanceof StaleSessionError) return;
    deps.log.error({ agentId, messageId, err: error }, 'parked message failed again');
    await write(deps, { ...row, state: 'waiting', note: `tried again: ${reasonOf(error)}` });
  }
}

async function takeUp(deps: RetryDeps, row: ParkedRow, agent: AgentRow): Promise<PaymentResult> {
  const { id: agentId, entityId, epoch, terminals } = agent;
  // No proof of the agent: an operator wants it.
  const session = { agentId, entityId, epoch, provenAtMs: 0, terminals: JSON.parse(terminals) as string[] };
  const { message, keyId } = row;
  if (message === null || keyId === null) throw new UntranslatableError('the message was not kept');
  const bytes = await deps.seal.open(agentId, row.messageId, { message, keyId });
  try {
    // The decoded message points into the bytes: they are wiped once the service is done.
    return await callService(deps.service, asWanted(translateStream(readStream(bytes), session)));
  } finally {
    wipe(bytes);
  }
}

/** A person wants it tried: that it waited makes it no older. */
function asWanted(call: ServiceCall): ServiceCall {
  if (call.call !== 'authorize' || !call.request.offline) return call;
  const offline = { ...call.request.offline, ageAccepted: true } as const;
  return { ...call, request: { ...call.request, offline } };
}

/** @throws BridgeError, UntranslatableError */
function readStream(bytes: Uint8Array): StreamEnvelope {
  const envelope = decodeEnvelope(bytes);
  if (!isStreamEnvelope(envelope)) throw new UntranslatableError(`${envelope.kind} stands in no stream`);
  return envelope;
}

/** Writes the row and what goes with it, unless one of them changed in the meantime: the next round looks again. */
async function write({ store }: RetryDeps, row: ParkedRow, ...more: readonly Change[]): Promise<void> {
  await store.commit([{ op: 'update', table: 'parked', row }, ...more]).catch((error: unknown) => {
    if (!(error instanceof CommitConflict)) throw error;
  });
}

/** Text for the operator. The texts of our own errors contain nothing of the message. */
function reasonOf(error: unknown): string {
  const ours =
    error instanceof UntranslatableError ||
    error instanceof BridgeError ||
    error instanceof OutsidePolicyError;
  if (ours) return error.message;
  return error instanceof VaultError
    ? 'the kept message cannot be opened'
    : 'an unexpected failure, see the log';
}
