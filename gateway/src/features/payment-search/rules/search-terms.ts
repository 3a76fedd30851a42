import { echoOf } from '../../../core/payments/rules/lifecycle-facts.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';

/** Columns that payments are found by; none of them changes once a payment is stored. */
export const TERM_COLUMNS = [
  'shortId',
  'type',
  'method',
  'amountMinor',
  'currency',
  'brand',
  'last4Digits',
  'terminalId',
  'agentId',
  'resultCode',
  'responseCode',
  'captureReference',
] as const satisfies readonly (keyof PaymentRow)[];

/** A column of {@link TERM_COLUMNS}. */
export type TermColumn = (typeof TERM_COLUMNS)[number];

/** Outcomes that payments are found by. */
export const OUTCOMES = ['approved', 'declined'] as const;

/** States of the rows of an outcome. */
export const STATES_OF = {
  approved: ['authorized', 'captured', 'credited', 'completed', 'reversed'],
  declined: ['declined'],
} as const satisfies Readonly<Record<(typeof OUTCOMES)[number], readonly PaymentRow['state'][]>>;

/** The term of a value of a column. */
export function termOf(column: TermColumn, value: string | number): string {
  return `${column}:${value}`;
}

/** The term of an outcome. */
export function outcomeTerm(outcome: (typeof OUTCOMES)[number]): string {
  return `outcome:${outcome}`;
}

/**
 * The terms of an e-mail address, by what a filter holds of it: two, so that a filter hardly ever affirms another one. The database cannot compare
 * addresses, so each payment of a slice that seems to have one is read.
 */
export function emailTerms(mark: string): readonly string[] {
  return [`email:${mark}`, `email again:${mark}`];
}

/** What a payment is found by, but for its e-mail address. Pure. */
export function termsOf(payment: PaymentRow): readonly string[] {
  const columns = TERM_COLUMNS.flatMap((column) => {
    const value = payment[column];
    return value === null ? [] : [termOf(column, value)];
  });
  return [...columns, outcomeTerm(payment.state === 'declined' ? 'declined' : 'approved')];
}

/** The shopper's e-mail address as it is compared: without its case. */
export function emailOf(payment: PaymentRow): string | undefined {
  const { customer } = echoOf(payment);
  if (typeof customer !== 'object' || Array.isArray(customer)) return undefined;
  return typeof customer.email === 'string' ? customer.email.toLowerCase() : undefined;
}
