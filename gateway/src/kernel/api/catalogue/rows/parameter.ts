import type { Condition } from './conditions.js';
import type { Format } from './format.js';

/** R, O or C of the specification. */
type Required = 'R' | 'O' | 'C';

/** What a request is for; each has its endpoint. */
export type Operation =
  | 'payment'
  | 'follow-up'
  | 'registration'
  | 'registration-payment'
  | 'checkout-create'
  | 'checkout-update'
  /** Posted by the shopper's browser with a checkout id. */
  | 'checkout-payment'
  | 'checkout-registration'
  | 'schedule'
  /** Authenticates a cardholder, and pays nothing. */
  | 'three-d-secure'
  | 'query'
  | 'report';

/** Operations that take the payment parameters. */
export const PAYMENT_OPERATIONS: readonly Operation[] = [
  'payment',
  'follow-up',
  'registration',
  'registration-payment',
  'checkout-create',
  'checkout-update',
  'checkout-payment',
  'checkout-registration',
  'schedule',
  'three-d-secure',
];

/** One row of a table of the specification. */
export interface Parameter<Name extends string = string> {
  /** Full name; `[n]` stands for an index, `[key]` for a map key, `<scheme>` for a card scheme key. */
  readonly name: Name;
  readonly format: Format;
  /** For a group of parameters (card.*, pos.*), R means: when the group is used at all. */
  readonly required: Required;
  /** What makes a C parameter required. */
  readonly condition?: Condition;
  /** Absent: {@link PAYMENT_OPERATIONS}. */
  readonly operations?: readonly Operation[];
  /** Comes back in the answer as it was sent. */
  readonly echoed?: true;
  /** Never in a log, an error or an answer. */
  readonly sensitive?: true;
  /** Accepted at the creation of a checkout alone. */
  readonly checkoutOnly?: true;
  /** Format of what stands for `[key]`. */
  readonly key?: Format;
  /** Stands in a header, not in the body. */
  readonly header?: true;
}

type Extras = Omit<Parameter, 'name' | 'format' | 'required'>;

const row =
  (required: 'R' | 'O') =>
  <const Name extends string>(name: Name, format: Format, extras: Extras = {}): Parameter<Name> => ({
    name,
    format,
    required,
    ...extras,
  });

/** A row marked R. */
export const required = row('R');

/** A row marked O. */
export const optional = row('O');

/** A row marked C, with the condition that makes it required. */
export function conditional<const Name extends string>(
  name: Name,
  format: Format,
  condition: Condition,
  extras: Extras = {},
): Parameter<Name> {
  return { name, format, required: 'C', condition, ...extras };
}

/** The rows with a prefix before each name. */
export function under<const Prefix extends string, Name extends string>(
  prefix: Prefix,
  rows: readonly Parameter<Name>[],
): readonly Parameter<`${Prefix}${Name}`>[] {
  return rows.map((row) => ({ ...row, name: `${prefix}${row.name}` as const }));
}

/** The rows as O rows: a group that repeats another has the other's formats and none of its conditions. */
export function allOptional<Name extends string>(
  rows: readonly Parameter<Name>[],
): readonly Parameter<Name>[] {
  return rows.map(({ condition: _, ...row }) => ({ ...row, required: 'O' }));
}

/** The rows marked as coming back in the answer, the sensitive ones excepted. */
export function echoed<Name extends string>(rows: readonly Parameter<Name>[]): readonly Parameter<Name>[] {
  return rows.map((row) => (row.sensitive ? row : { ...row, echoed: true }));
}

/** Does the operation take the parameter? */
export function takes(operation: Operation, row: Parameter): boolean {
  return !row.header && (row.operations ?? PAYMENT_OPERATIONS).includes(operation);
}
