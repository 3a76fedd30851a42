import { nameOf } from '@tillbridge/gateway/app/ledger-check/difference.js';
import { InvariantCheck } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { ledgerRecord } from '@tillbridge/gateway/core/acquirers/internal/ledger-record.js';
import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import type { Gateways } from './gateways.js';

const QUIET = { warn: () => undefined, error: () => undefined };

/** What differs between payments, stored answers and the acquirer's record, in words, while nothing is under way. */
export async function differences({ store, ledger }: Gateways): Promise<readonly string[]> {
  const check = new InvariantCheck({ store, records: [ledgerRecord(ledger)], clock, log: QUIET });
  await check.full();
  const found = check.known
    .list()
    .map(({ kind, subject, detail }) => `${kind} ${nameOf(subject)}: ${detail}`);
  const payments = await allRows(store, 'payments');
  return [...found, ...unequalSums(payments, await ledger.all())];
}

/** Sums by currency, by another way than the check: each of the amounts that both sides keep. */
function unequalSums(payments: readonly PaymentRow[], ledger: readonly LedgerRow[]): string[] {
  const roots = payments.filter(({ rootId, state }) => rootId === null && state !== 'declined');
  const transactions = ledger.filter(
    ({ kind, approved }) => approved === 1 && (kind === 'authorization' || kind === 'credit'),
  );
  const ours = sums(roots);
  const theirs = sums(transactions);
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((name) => ours.get(name) !== theirs.get(name))
    .map(
      (name) =>
        `${name}: ${ours.get(name) ?? 0} in the payments, ${theirs.get(name) ?? 0} in the acquirer’s record`,
    );
}

type Amounts = Pick<PaymentRow & LedgerRow, 'currency' | 'capturedMinor' | 'refundedMinor'>;

function sums(rows: readonly Amounts[]): Map<string, number> {
  const totals = new Map<string, number>();
  const add = (name: string, minor: number) => totals.set(name, (totals.get(name) ?? 0) + minor);
  for (const { currency, capturedMinor, refundedMinor } of rows) {
    add(`${currency} captured`, capturedMinor);
    add(`${currency} refunded`, refundedMinor);
  }
  return totals;
}
