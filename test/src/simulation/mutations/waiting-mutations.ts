import type { Acquirer } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { Gate } from '@tillbridge/gateway/core/payments/gates/gate.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { redirected } from './redirected.js';

const APPROVED = { approved: true, resultCode: '000.100.110', responseCode: '00' } as const;

/** The resolver takes a payment that waits for one whose answer was lost. */
export function resolvesWhatWaits(store: Store): Store {
  const open = <T extends object | undefined>(row: T): T =>
    row && 'state' in row && row.state === 'waiting' ? { ...row, state: 'open' } : row;
  const get: Store['get'] = async (table, key) => open(await store.get(table, key));
  const find: Store['find'] = async (...query) => (await store.find(...query)).map(open);
  return redirected(store, { get, find });
}

/** At the deadline the shopper's decision is not read. */
export function expiresWithoutStatus(gate: Gate): Gate {
  return {
    ...gate,
    again: async (payment, state, why) =>
      why === 'deadline'
        ? { verdict: 'wait', waiting: { kind: 'challenge' }, state }
        : gate.again(payment, state, why),
  };
}

/** A shopper who comes back counts as having approved. */
export function believesReturns(acquirer: Acquirer): Acquirer {
  return redirected(acquirer, {
    status: async (reference: string) => {
      const status = await acquirer.status(reference);
      return status.state === 'answered' && status.answer.pending
        ? { state: 'answered', answer: APPROVED }
        : status;
    },
  });
}

/** A shopper who comes back after the end makes another one. */
export function takesSecondOutcome(service: PaymentService): PaymentService {
  return redirected(service, {
    continueWaiting: async (...[paymentId, why]: Parameters<PaymentService['continueWaiting']>) =>
      (await service.continueWaiting(paymentId, why)) ??
      (why === 'return'
        ? { disposition: 'approved', resultCode: APPROVED.resultCode, description: '', paymentId }
        : undefined),
  });
}

/** What a payment kept for its later steps stays. */
export function keepsContinuations(store: Store): Store {
  const kept = (change: Change): Change =>
    'table' in change && change.table === 'waits' && change.op === 'update' && change.row.endedAtMs !== null
      ? { ...change, row: { ...change.row, sealed: change.row.sealed ?? 'kept' } }
      : change;
  return redirected(store, { commit: (changes: readonly Change[]) => store.commit(changes.map(kept)) });
}

/** The end of a wait is no part of the commit of its outcome. */
export function forgetsEnds(store: Store): Store {
  const isEnd = (change: Change): boolean =>
    'table' in change && change.table === 'waits' && change.op === 'update' && change.row.endedAtMs !== null;
  return redirected(store, {
    commit: (changes: readonly Change[]) => store.commit(changes.filter((change) => !isEnd(change))),
  });
}

/** Deadlines pass unseen. */
export function forgetsDeadlines(store: Store): Store {
  const findRange: Store['findRange'] = async (table, index, range) =>
    table === 'waits' && index === 'due' ? [] : store.findRange(table, index, range);
  return redirected(store, { findRange });
}
