import type { Parameter } from '../../api/catalogue/rows/parameter.js';
import { type Validated, validateParameters } from '../../api/validate.js';
import { invalidParameters } from './envelope.js';
import type { Form } from './form.js';

/** Valid parameters by their rows, of an addition of ours. @throws RequestRefused naming every fault */
export function validValues(form: Form, rows: readonly Parameter[]): ReadonlyMap<string, string> {
  const { values, errors } = validateParameters(form.parameters, rows);
  if (form.errors.length + errors.length > 0) throw invalidParameters([...form.errors, ...errors]);
  return values;
}

/** A value that the request cannot do without. @throws RequestRefused naming it */
export function needed(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value === undefined) throw invalidParameters([{ name, value: null, message: 'may not be empty' }]);
  return value;
}

/** Valid parameters by their rows, of an addition of ours that cannot do without some. @throws RequestRefused naming every fault */
export function demandedValues(
  form: Form,
  rows: readonly Parameter[],
  demanded: readonly string[],
): Validated {
  const validated = validateParameters(form.parameters, rows);
  const named = new Set(validated.errors.map(({ name }) => name));
  const missing = demanded
    .filter((name) => !validated.values.has(name) && !named.has(name))
    .map((name) => ({ name, value: null, message: 'may not be empty' }));
  const errors = [...form.errors, ...validated.errors, ...missing];
  if (errors.length > 0) throw invalidParameters(errors);
  return validated;
}
