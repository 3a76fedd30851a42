import type { Parameter } from '@tillbridge/protocol/api/catalogue/rows/parameter.js';
import { validateParameters } from '@tillbridge/protocol/api/validate.js';
import { invalidParameters } from './envelope.js';
import type { Form } from './form.js';

/** Valid parameters by their rows, of an addition of ours. @throws RequestRefused naming every fault */
export function validValues(form: Form, rows: readonly Parameter[]): ReadonlyMap<string, string> {
  const { values, errors } = validateParameters(form.parameters, rows);
  if (form.errors.length + errors.length > 0) throw invalidParameters([...form.errors, ...errors]);
  return values;
}
