import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { Origin, PaymentResult } from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { IntentRow, ParkedRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import type { Trace } from '../kernel/trace.js';
import type { Recorder } from './recorder.js';

/** Stands at the gateway's store and in front of its service: sees the order and the sessions in which messages take effect. */
export class GatewayRecorder {
  readonly #recorder: Recorder;
  readonly #trace: Trace;
  /** Agents whose identity two machines have: their streams begin more than once. */
  readonly #cloned: ReadonlySet<string>;
  /** Ages by a clock that jumped do not show what waited together. */
  readonly #clocksJumped: () => boolean;
  /** The last sequence that took effect, by stream. */
  readonly #taken = new Map<string, number>();
  readonly #parked = new Set<string>();
  /** The newest session that brought a message. */
  readonly #epochs = new Map<string, number>();
  readonly #currentEpochs = new Map<string, number>();
  /** Nodes whose lease stands, and who works on which intent. */
  readonly #nodes = new Set<string>();
  readonly #owners = new Map<string, string | null>();

  constructor(recorder: Recorder, trace: Trace, cloned: ReadonlySet<string>, clocksJumped: () => boolean) {
    this.#recorder = recorder;
    this.#trace = trace;
    this.#cloned = cloned;
    this.#clocksJumped = clocksJumped;
  }

  /** The service as the bridge sees it. */
  watch(service: PaymentService): PaymentService {
    const seen = (origin: Origin, work: () => Promise<PaymentResult>): Promise<PaymentResult> => {
      if (origin.kind === 'bridge') this.#epochs.set(origin.messageId, origin.epoch);
      return work();
    };
    return {
      authorize: (request) => seen(request.origin, () => service.authorize(request)),
      followUp: (request) => seen(request.origin, () => service.followUp(request)),
      status: (agentId, messageId) => service.status(agentId, messageId),
      find: (paymentId, entityId) => service.find(paymentId, entityId),
      lookUp: (...query) => service.lookUp(...query),
      continueWaiting: (...call) => service.continueWaiting(...call),
    };
  }

  /** The store has taken a commit. */
  committed(changes: readonly Change[]): void {
    // What had begun before is finished, whichever session is open by then.
    const ends = changes.some((change) => change.op === 'update' && change.table === 'intents');
    const session = sessionOf(changes);
    for (const change of changes) {
      this.#checkOwner(change);
      if (change.op === 'update' && change.table === 'agents')
        this.#currentEpochs.set(change.row.id, change.row.epoch);
      if (change.op !== 'insert') continue;
      if (change.table === 'intents') this.#checkEpoch(change.row, session);
      if (change.table !== 'inbox' && change.table !== 'parked') continue;
      if (change.table === 'parked') this.#checkPolicy(change.row);
      const { agentId, messageId } = change.row;
      if (!ends) this.#checkEpoch(change.row, session);
      this.#tookEffect(agentId, messageId, change.table);
    }
  }

  /** What a node works on is taken from it once its lease is ended, and not before; a node without a lease begins nothing (P2). */
  #checkOwner(change: Change): void {
    if (!('table' in change)) return;
    if (change.table === 'nodes' && change.op === 'insert') this.#nodes.add(change.row.id);
    if (change.table === 'nodes' && change.op === 'delete') this.#nodes.delete(String(change.key[0]));
    if (change.table !== 'intents' || (change.op !== 'insert' && change.op !== 'update')) return;
    const { id, owner, state } = change.row;
    const before = this.#owners.get(id) ?? null;
    this.#owners.set(id, owner);
    if (state !== 'open' || owner === null || owner === before) return;
    if (before !== null && this.#nodes.has(before))
      this.#recorder.breach('P2', `intent ${id} was taken from a node whose lease stands`);
    if (!this.#nodes.has(owner))
      this.#recorder.breach('P2', `intent ${id} was begun by a node that others have taken over from`);
  }

  /** An agent keeps the policy of its store, and the gateway parks nothing of one that does (P6); a hostile store does not. */
  #checkPolicy({ agentId, messageId, reasonCode, reason }: ParkedRow): void {
    if (!this.#recorder.streams.has(messageId)) return;
    if (reasonCode !== 'outside-policy' || this.#cloned.has(agentId) || this.#clocksJumped()) return;
    this.#recorder.breach('P6', `record ..${messageId.slice(-6)} of ${agentId} is parked: ${reason}`);
  }

  #tookEffect(agentId: string, messageId: string, table: string): void {
    const message = this.#recorder.streams.get(messageId);
    if (!message) return;
    const { terminalId, sequence, kind, reference } = message;
    const about = `${kind} of ${reference} (${terminalId}#${sequence})`;
    this.#trace.add('gateway', `${table}: ${about}`);
    if (this.#cloned.has(agentId)) return;
    const key = `${agentId}/${terminalId}`;
    const before = this.#taken.get(key) ?? 0;
    // A parked message let what was behind it pass: staff may have it tried again at any time.
    if (table === 'parked') this.#parked.add(messageId);
    if (sequence < before && !this.#parked.has(messageId))
      this.#recorder.breach('P4', `${about} took effect behind #${before}`);
    this.#taken.set(key, Math.max(sequence, before));
  }

  /**
   * What begins in a session that was followed by a newer one must not be written. A message may wait in both: where the commit does not name the
   * session in which it takes effect, it is the one that tried it last.
   */
  #checkEpoch(
    { agentId, messageId }: Pick<IntentRow, 'agentId' | 'messageId'>,
    session: number | undefined,
  ): void {
    const epoch = session ?? this.#epochs.get(messageId ?? '');
    const current = this.#currentEpochs.get(agentId ?? '') ?? 0;
    if (epoch !== undefined && epoch < current)
      this.#recorder.breach('P5', `a message of session ${epoch} was taken although ${current} is open`);
  }
}

/** The session that a commit is bound to. */
function sessionOf(changes: readonly Change[]): number | undefined {
  const fence = changes.find((change) => change.op === 'require-field' && change.table === 'agents');
  return fence?.op === 'require-field' ? Number(fence.equals) : undefined;
}
