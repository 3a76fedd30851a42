import type { Operation, Parameter } from '../catalogue/rows/parameter.js';
import type { ParameterValues } from '../catalogue/sections.js';
import { type ParameterError, shorten } from '../validate.js';

/** What the gateway knows about a request in addition to its parameters. */
export interface RequestContext {
  readonly operation: Operation;
  /** 3D Secure that will be processed for this payment; absent when none will. */
  readonly threeDSecure?:
    | {
        readonly version: 1 | 2;
        readonly appBased?: boolean;
        /** The merchant authenticates without the cardholder: there is neither browser nor app. */
        readonly requestorInitiated?: boolean;
      }
    | undefined;
  /** `legacy` takes what older clients send outside the specification (docs/rest-api.md). */
  readonly compatibility?: 'specification' | 'legacy' | undefined;
  /** Schemes of the entity's apps, in small letters: return addresses may have them in addition to https and http. */
  readonly appSchemes?: readonly string[] | undefined;
  /** Names that the receiver of this entity demands, such as merchantTransactionId. */
  readonly demandedByReceiver?: readonly string[] | undefined;
  /** `false` where the brand is not detected from the card; then every card payment names it. */
  readonly brandDetection?: boolean | undefined;
}

/** What the rules look at. */
export interface RuleFacts extends RequestContext {
  /** Values that keep their format. */
  readonly values: ParameterValues;
  readonly rows: ReadonlyMap<string, Parameter>;
  /** Names that were sent with something in them, right or wrong. */
  readonly sent: ReadonlySet<string>;
  /** The first part of each of these. */
  readonly groups: ReadonlySet<string>;
}

/** A rule between parameters: pure, and silent where it does not apply. */
export type Rule = (facts: RuleFacts) => readonly ParameterError[];

/** Operations that bring their own means of payment, so that a group that is used must be whole. */
const WITH_INSTRUMENT: readonly Operation[] = [
  'payment',
  'registration',
  'checkout-payment',
  'checkout-registration',
  'three-d-secure',
];

/** Does the operation bring its own means of payment? */
export function bringsInstrument({ operation }: Pick<RuleFacts, 'operation'>): boolean {
  return WITH_INSTRUMENT.includes(operation);
}

/** An error for each of the names that was not sent. */
export function demand(facts: RuleFacts, names: readonly string[], why?: string): ParameterError[] {
  const missing = names.filter((name) => !facts.sent.has(name));
  const message = why === undefined ? 'may not be empty' : `may not be empty ${why}`;
  return missing.map((name) => ({ name, value: null, message }));
}

/** An error about a parameter that was sent, or its absence when it was not. */
export function wrong(facts: RuleFacts, name: string, message: string): ParameterError {
  const value = facts.rows.get(name)?.sensitive ? undefined : facts.values.get(name);
  return { name, value: value === undefined ? null : shorten(value), message };
}
