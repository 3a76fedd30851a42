import type { Operation, Parameter } from './catalogue/parameter.js';
import { parametersOf } from './catalogue/sections.js';
import type { RequestContext } from './rules/rule.js';
import { RULES } from './rules/rules.js';
import { type ParameterError, type Validated, validateParameters } from './validate.js';

/** Rows by operation: one array each, so that its names are indexed once. */
const rowsByOperation = new Map<Operation, readonly Parameter[]>();

/**
 * Checks a request against the catalogue and every rule between parameters; all errors at once, each name once. Answer an error
 * with 200.300.404. What the values mean (a card's check digit, a currency that exists) is asked with `contentErrors`.
 * @param rows other rows than those of the operation, for a caller that takes more or fewer
 */
export function checkRequest(
  sent: readonly (readonly [name: string, value: string])[],
  context: RequestContext,
  rows: readonly Parameter[] = rowsOf(context.operation),
): Validated {
  const validated = validateParameters(sent, rows);
  const named = new Set(validated.errors.map((error) => error.name));
  const errors: ParameterError[] = [...validated.errors];
  for (const rule of RULES) {
    for (const error of rule({ ...context, ...validated })) {
      if (named.has(error.name)) continue;
      named.add(error.name);
      errors.push(error);
    }
  }
  return { ...validated, errors };
}

/** The rows that an operation takes, always the same array. */
export function rowsOf(operation: Operation): readonly Parameter[] {
  let rows = rowsByOperation.get(operation);
  if (!rows) {
    rows = parametersOf(operation);
    rowsByOperation.set(operation, rows);
  }
  return rows;
}
