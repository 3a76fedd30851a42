import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { LinkExchangeRow } from '../../../../kernel/store/rows.js';
import type { Key } from '../../../../kernel/store/store.js';
import { recordOf } from '../journal/store-link-journal.js';
import { approves, type ExchangeRecord } from '../rules/exchange-record.js';

/** Where the advice of a stand-in stands, and the states of its exchange. `reversed`: the payment was taken back, or is being taken back. */
const STATES = {
  waiting: ['advice-pending'],
  answered: ['answered'],
  reversed: ['reversing', 'reversed'],
} as const satisfies Readonly<Record<string, readonly ExchangeRecord['state'][]>>;

/** What a list may be limited to. */
export type StandInState = keyof typeof STATES;
/** All states. */
export const STAND_IN_STATES = Object.keys(STATES) as readonly StandInState[];

/** A payment that the gateway approved by itself, and what became of its advice. */
interface StandInView {
  /** Our acquirer reference of it. */
  readonly id: string;
  readonly entityId: string;
  readonly paymentId?: string;
  readonly acquirer: string;
  /** Decimal text. */
  readonly amount?: string;
  readonly currency?: string;
  readonly approvalCode: string;
  readonly terminalId?: string;
  /** ISO 8601 UTC. */
  readonly approvedAt: string;
  /** `accepted`, `declined`: the host's answer to the advice. */
  readonly advice: 'waiting' | 'accepted' | 'declined' | 'reversed';
  /** Times that the advice was sent. */
  readonly attempts: number;
  /** While it waits: when it is sent next, where a host can be reached. */
  readonly nextAttemptAt?: string;
  /** The host's, where it has answered. */
  readonly responseCode?: string;
}

/** Values of the index `entity` of exchanges: of what the gateway approved by itself for entities. */
export function standInKeys(
  entityIds: readonly string[],
  states: readonly StandInState[] = STAND_IN_STATES,
): readonly Key[] {
  const each = states.flatMap((state) => STATES[state]);
  return entityIds.flatMap((entityId) => each.map((state) => [entityId, state]));
}

/** What is shown of a stand-in; nothing of the card. */
export function standInView(row: LinkExchangeRow): StandInView {
  const record = recordOf(row);
  const { reference, state, request, answer, standIn, createdAtMs } = record;
  if (!standIn?.entityId) throw new Error(`${reference} is no stand-in of an entity`);
  const { entityId, approvalCode, attempts, nextAtMs, paymentId } = standIn;
  const { amount, terminalId } = request ?? {};
  return {
    id: reference,
    entityId,
    ...present({ paymentId }),
    acquirer: row.acquirer,
    ...(amount && { amount: formatAmount(amount), currency: amount.currency }),
    approvalCode,
    ...present({ terminalId }),
    approvedAt: new Date(createdAtMs).toISOString(),
    advice: adviceOf(record),
    attempts,
    ...present({
      nextAttemptAt: state === 'advice-pending' ? new Date(nextAtMs).toISOString() : undefined,
      responseCode: answer?.responseCode,
    }),
  };
}

function adviceOf({ state, answer }: ExchangeRecord): StandInView['advice'] {
  if (state === 'advice-pending') return 'waiting';
  if (state !== 'answered') return 'reversed';
  return answer && approves(answer) ? 'accepted' : 'declined';
}
