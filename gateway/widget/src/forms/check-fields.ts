import type { Field } from './text-field.js';

/** Checks every field, so that all errors show at once, and goes to the first that is wrong. */
export function checkFields(fields: readonly Field[]): boolean {
  const wrong = fields.filter((field) => !field.check());
  wrong[0]?.focus();
  return wrong.length === 0;
}

/** Shows fields as wrong by the parameters that the gateway named. Returns whether each of them has its field. */
export function refuseFields(fields: readonly Field[], names: readonly string[]): boolean {
  const wrong = fields.filter((field) => field.names.some((name) => names.includes(name)));
  for (const field of wrong) field.refuse();
  wrong[0]?.focus();
  return names.length > 0 && names.every((name) => fields.some((field) => field.names.includes(name)));
}
