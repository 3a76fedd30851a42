import type { RecordEntry } from '../../core/acquirers/acquirer.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Difference, DifferenceKind } from './difference.js';

type Finding = Omit<Difference, 'subject'>;

/**
 * The differences between a payment and the acquirer's entry of its reference. Pure; the caller makes sure that no request on the payment
 * is running (`lockedBy`), and that neither changed between the two reads.
 */
export function comparePayment(payment: PaymentRow, entry: RecordEntry | undefined): readonly Finding[] {
  const approved = payment.state !== 'declined';
  if (!entry)
    return approved ? [finding('payment-not-at-acquirer', `${payment.type} ${money(payment)}`)] : [];
  if (!approved) return entry.approved && !isReversed(entry) ? [outcome('declined', 'approved')] : [];
  if (!entry.approved) return [outcome('approved', 'declined')];
  return amounts(payment, entry).flatMap(([name, ours, theirs]) =>
    ours === theirs
      ? []
      : [finding('amount-differs', `${name}: ${String(ours)} here, ${String(theirs)} there`)],
  );
}

/** Whether an approval was reversed as a whole: then it moved no money. */
function isReversed({ amountMinor, reversedMinor }: RecordEntry): boolean {
  return reversedMinor >= amountMinor;
}

type Pair = readonly [name: string, ours: unknown, theirs: unknown];

function amounts(payment: PaymentRow, entry: RecordEntry): readonly Pair[] {
  const currency: Pair = ['currency', payment.currency, entry.currency];
  if (payment.rootId !== null) {
    return [
      currency,
      ['amount', payment.amountMinor, entry.amountMinor],
      ['reversed', payment.state === 'reversed', entry.kind !== 'reversal' && isReversed(entry)],
    ];
  }
  return [
    currency,
    ['authorized', payment.authorizedMinor, entry.amountMinor],
    ['captured', payment.capturedMinor, entry.capturedMinor],
    ['refunded', payment.refundedMinor, entry.refundedMinor],
    ['reversed', payment.reversedMinor, entry.reversedMinor],
  ];
}

function finding(kind: DifferenceKind, detail: string): Finding {
  return { kind, detail };
}

function outcome(here: string, there: string): Finding {
  return finding('outcome-differs', `${here} here, ${there} there`);
}

function money({ amountMinor, currency }: PaymentRow): string {
  return `of ${amountMinor} ${currency} (minor units)`;
}
