import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import { ACCOUNT_DATA_REFUSED } from '@tillbridge/gateway/core/payments/rules/account-data-error.js';
import { REPLAY_CODE } from '@tillbridge/gateway/core/payments/rules/atc-replay.js';
import {
  type Origin,
  type PaymentResult,
  StaleSessionError,
} from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { WaitRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import type { RareSituation } from './rare-situations.js';

/** Codes of a repeat: by its KSN, or by the counter of its card. */
const REPLAY_CODES: readonly string[] = [ACCOUNT_DATA_REFUSED.resultCode, REPLAY_CODE];

/** Finds rare situations in the commits of the gateway and in the calls of its payment service. */
export class GatewaySituations {
  readonly #saw: (situation: RareSituation) => void;
  readonly #answered = new Set<string>();
  readonly #tombstones = new Set<string>();
  /** Calls of the running process without an end, whose message had no answer when they began. */
  #atWork = new Set<string>();
  /** Waits by payment: their deadline, and the process that began them. */
  readonly #waits = new Map<string, { readonly untilMs: number; readonly process: number }>();
  #processes = 0;

  constructor(saw: (situation: RareSituation) => void) {
    this.#saw = saw;
  }

  /** The payment service of one process as the bridge sees it. What the process before was at when it ended is known by now. */
  watch(service: PaymentService): PaymentService {
    for (const message of this.#atWork)
      if (this.#answered.has(message)) this.#saw('gateway ended between commit and answer');
    this.#atWork = new Set();
    this.#processes += 1;
    return {
      authorize: (request) =>
        this.#watched(request.origin, () => service.authorize(request), 'authorization'),
      followUp: (request) => this.#watched(request.origin, () => service.followUp(request), 'follow-up'),
      status: (agentId, messageId) => service.status(agentId, messageId),
      find: (paymentId, entityId) => service.find(paymentId, entityId),
      lookUp: (...query) => service.lookUp(...query),
      continueWaiting: (...call) => service.continueWaiting(...call),
    };
  }

  /** The store has taken a commit. */
  committed(changes: readonly Change[]): void {
    const isPaid = changes.some(
      (change) => change.op === 'insert' && change.table === 'payments' && change.row.state === 'captured',
    );
    for (const change of changes) {
      if ((change.op === 'insert' || change.op === 'update') && change.table === 'waits')
        this.#waited(change.row, isPaid);
      if (change.op === 'update' && change.table === 'parked' && change.row.state === 'resolved')
        this.#saw('parked message retried');
      if (change.op !== 'insert') continue;
      if (change.table === 'inbox') this.#answered.add(keyOf(change.row));
      if (change.table === 'tombstones') this.#tombstones.add(keyOf(change.row));
      // Over REST a hostile merchant tries it all the time.
      if (
        change.table === 'payments' &&
        change.row.agentId !== null &&
        REPLAY_CODES.includes(change.row.resultCode)
      )
        this.#saw('replayed card refused');
    }
  }

  #waited({ paymentId, untilMs, endedAtMs }: WaitRow, isPaid: boolean): void {
    const known = this.#waits.get(paymentId);
    if (untilMs !== null) this.#waits.set(paymentId, { process: this.#processes, ...known, untilMs });
    if (endedAtMs === null || !known) return;
    this.#waits.delete(paymentId);
    if (!isPaid) return;
    if (known.process !== this.#processes) this.#saw('gateway ended while a payment waited, then paid');
    if (endedAtMs >= known.untilMs) this.#saw('approval found at the deadline');
  }

  async #watched(
    origin: Origin,
    work: () => Promise<PaymentResult>,
    kind: 'authorization' | 'follow-up',
  ): Promise<PaymentResult> {
    if (origin.kind === 'rest') return work();
    const message = keyOf(origin);
    const atWork = this.#atWork;
    const isLate = kind === 'authorization' && this.#tombstones.has(message);
    if (!this.#answered.has(message)) atWork.add(message);
    try {
      const result = await work();
      if (isLate && result.disposition === 'refused') this.#saw('tombstone refused a late original');
      return result;
    } catch (error) {
      if (error instanceof StaleSessionError) this.#saw('message of an older session refused');
      throw error;
    } finally {
      atWork.delete(message);
    }
  }
}

function keyOf({ agentId, messageId }: { readonly agentId: string; readonly messageId: string }): string {
  return `${agentId}/${messageId}`;
}
