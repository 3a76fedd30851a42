import { APPROVED } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import type { GiftCardAsk } from './gift-card-ask.js';
import type { IssuerVerdict, LedgerRequest } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';

/** Wrong PINs of a gift card in this time before all PINs are refused. */
export const GIFT_CARD_PINS = { tries: 3, windowMs: 10 * 60_000 } as const;

/** Response code of a wrong PIN: what tries are counted by. */
export const WRONG_PIN = '55';

/**
 * The simulated gift card issuer's decision, with the balance where PIN and currency are right. Pure.
 * @param rows what was recorded of the card so far
 */
export function decideGiftCard(
  { kind, amount, atMs }: Pick<LedgerRequest, 'kind' | 'amount' | 'atMs'>,
  { issued, pinIsRight, approvalCode }: GiftCardAsk,
  rows: readonly LedgerRow[],
): IssuerVerdict {
  if (!issued) return { responseCode: '14' };
  if (issued.behaviour.kind === 'decline') return { responseCode: issued.behaviour.responseCode };
  if (kind !== 'credit') {
    if (wrongPins(rows, atMs) >= GIFT_CARD_PINS.tries) return { responseCode: '75' };
    if (!pinIsRight) return { responseCode: WRONG_PIN };
  }
  const balanceMinor = balanceOf(issued.openingMinor, rows);
  if (kind === 'inquiry') return { responseCode: APPROVED, balanceMinor };
  if (amount.currency !== issued.currency) return { responseCode: '57' };
  const leftMinor = kind === 'credit' ? balanceMinor + amount.minor : balanceMinor - amount.minor;
  return leftMinor < 0
    ? { responseCode: '51', balanceMinor }
    : { responseCode: APPROVED, approvalCode, balanceMinor: leftMinor };
}

function wrongPins(rows: readonly LedgerRow[], nowMs: number): number {
  return rows.filter(
    ({ responseCode, atMs }) => responseCode === WRONG_PIN && nowMs - atMs < GIFT_CARD_PINS.windowMs,
  ).length;
}

/** What is left on a card: what was on it, less what was taken or is held, and with what was loaded. */
function balanceOf(openingMinor: number, rows: readonly LedgerRow[]): number {
  const left = rows
    .filter(({ approved }) => approved === 1)
    .reduce((sum, row) => sum + (row.kind === 'credit' ? 1 : -1) * standing(row), openingMinor);
  return Math.max(0, left);
}

function standing({ amountMinor, reversedMinor, refundedMinor, chargedBackMinor }: LedgerRow): number {
  return amountMinor - reversedMinor - refundedMinor - chargedBackMinor;
}
