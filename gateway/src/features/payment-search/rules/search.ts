import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { paymentTypeOf } from '../../../core/payments/rules/lifecycle-facts.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import {
  emailOf,
  emailTerms,
  type OUTCOMES,
  outcomeTerm,
  STATES_OF,
  type TermColumn,
  termOf,
} from './search-terms.js';
import type { EmailMark } from './slice.js';

/** A place between two payments of a list, newest first: behind this one. */
export interface ListPlace {
  readonly atMs: number;
  readonly id: string;
}

/** What is looked for: all of it together. */
export interface PaymentSearch {
  /** Milliseconds since 1970; the end is not in it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Values of columns, one of which each has. */
  readonly columns: { readonly [Column in TermColumn]?: readonly string[] };
  /** As answers show it, and in the minor units of each kind of currency. */
  readonly amount?: { readonly text: string; readonly minors: readonly number[] };
  readonly outcome?: (typeof OUTCOMES)[number];
  /** `paymentType`s: a PA.CP is both a PA and a CP. */
  readonly types?: readonly string[];
  readonly reference?: string;
  /** Lowercase. */
  readonly email?: string;
}

/** Whether a payment is one that is looked for. Pure. */
export function fits(payment: PaymentRow, search: PaymentSearch): boolean {
  const { fromMs, toMs, columns, amount, outcome, types, reference, email } = search;
  const { createdAtMs, state, amountMinor: minor, currency } = payment;
  return (
    createdAtMs >= fromMs &&
    createdAtMs < toMs &&
    Object.entries(columns).every(([column, values]) =>
      values.includes(String(payment[column as TermColumn] ?? '')),
    ) &&
    (amount === undefined || formatAmount({ minor, currency }) === amount.text) &&
    (outcome === undefined || (STATES_OF[outcome] as readonly string[]).includes(state)) &&
    (types === undefined ||
      paymentTypeOf(payment)
        .split('.')
        .some((type) => types.includes(type))) &&
    (reference === undefined || payment.reference === reference) &&
    (email === undefined || emailOf(payment) === email)
  );
}

/** Terms of which a slice must have one of each list. Pure. */
export function wantedTerms(search: PaymentSearch, markOf: EmailMark): readonly (readonly string[])[] {
  const { columns, amount, outcome, email, types } = search;
  return [
    ...Object.entries(columns).map(([column, values]) =>
      values.map((value) => termOf(column as TermColumn, value)),
    ),
    ...(types === undefined ? [] : [rowTypes(types).map((type) => termOf('type', type))]),
    ...(amount === undefined ? [] : [amount.minors.map((minor) => termOf('amountMinor', minor))]),
    ...(outcome === undefined ? [] : [[outcomeTerm(outcome)]]),
    ...(email === undefined ? [] : emailTerms(markOf(email)).map((term) => [term])),
  ];
}

/** What the database itself compares: the rest {@link fits} does. Pure. */
export function amongOf({ columns, amount, outcome, types }: PaymentSearch) {
  return {
    ...(columns as { readonly [Column in keyof PaymentRow]?: readonly (string | number)[] }),
    ...(types !== undefined && { type: rowTypes(types) as readonly PaymentRow['type'][] }),
    ...(amount && { amountMinor: amount.minors }),
    ...(outcome !== undefined && { state: STATES_OF[outcome] }),
  };
}

/** The capture of a PA.CP stands in the row of its PA. */
function rowTypes(types: readonly string[]): readonly string[] {
  return types.includes('CP') ? [...new Set([...types, 'PA'])] : types;
}

/** Whether a payment comes behind a place of a list. Pure. */
export function isBehind({ createdAtMs, id }: PaymentRow, place: ListPlace | undefined): boolean {
  if (!place) return true;
  return createdAtMs === place.atMs ? id < place.id : createdAtMs < place.atMs;
}
