import type { Operation, Parameter } from '../catalogue/rows/parameter.js';
import { parametersOf } from '../catalogue/sections.js';
import { legacyForm, legacyRows } from '../legacy.js';
import type { RequestContext, RuleFacts } from '../rules/rule.js';
import { RULES } from '../rules/rules.js';
import { type EmptyValues, type ParameterError, type Validated, validateParameters } from '../validate.js';

/** Rows by operation and compatibility: one array each, so that its names are indexed once. */
const rowsByKind = new Map<string, readonly Parameter[]>();

/**
 * Checks a request against the catalogue and every rule between parameters; all errors at once, each name once. Answer an error
 * with 200.300.404. `contentErrors` checks what the values mean (a card's check digit, a currency that exists).
 * @param rows other rows than those of the operation, for a caller that takes more or fewer
 */
export function checkRequest(
  sent: readonly (readonly [name: string, value: string])[],
  context: RequestContext,
  rows: readonly Parameter[] = rowsOf(context.operation, context.compatibility),
): Validated {
  const form = context.compatibility === 'legacy' ? legacyForm(sent, rows) : sent;
  const validated = validateParameters(form, rows, emptyValuesOf(context));
  const { values, rows: found, sent: known, groups } = validated;
  const named = new Set(validated.errors.map((error) => error.name));
  const errors: ParameterError[] = [...validated.errors];
  const facts = factsOf(context, validated);
  for (const rule of RULES) {
    for (const error of rule(facts)) {
      if (named.has(error.name)) continue;
      named.add(error.name);
      errors.push(error);
    }
  }
  return { values, errors, rows: found, sent: known, groups };
}

/** What the rules look at, of one shape for every request: each reads it. */
function factsOf(
  { operation, threeDSecure, compatibility, appSchemes, demandedByReceiver, brandDetection }: RequestContext,
  { values, rows, sent, groups }: Validated,
): RuleFacts {
  const known = { values, rows, sent, groups };
  return { operation, threeDSecure, compatibility, appSchemes, demandedByReceiver, brandDetection, ...known };
}

/** What a shopper's browser posts: each field of a form, filled in or not. */
const OF_BROWSERS: readonly Operation[] = ['checkout-payment', 'checkout-registration'];

/** Older clients send every field that they know, filled or not ("Older clients", docs/rest-api.md). */
function emptyValuesOf({ operation, compatibility }: RequestContext): EmptyValues {
  return compatibility === 'legacy' || OF_BROWSERS.includes(operation) ? 'absent' : 'refused';
}

/** The rows that an operation takes, always the same array. */
export function rowsOf(
  operation: Operation,
  compatibility: RequestContext['compatibility'] = 'specification',
): readonly Parameter[] {
  const kind = `${operation} ${compatibility}`;
  let rows = rowsByKind.get(kind);
  if (!rows) {
    rows = compatibility === 'legacy' ? legacyRows(parametersOf(operation)) : parametersOf(operation);
    rowsByKind.set(kind, rows);
  }
  return rows;
}
