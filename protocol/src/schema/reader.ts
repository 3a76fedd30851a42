import { Ajv, type ValidateFunction } from 'ajv';
import { maskText } from '../mask/mask.js';
import { parseJson } from '../text/parse-json.js';
import { faultOf, placeText, type SchemaError } from './fault.js';
import { addRules, OWN_SCHEMAS } from './rule.js';
import type { Static, TSchema } from './type.js';

/** Longest value that a message shows. */
const MAX_SHOWN = 40;

/**
 * A function that reads what a person wrote: a value that fits the schema, with its defaults filled in. A value stands in the message,
 * with card numbers masked, unless its schema marks it as `secret`. The schema is compiled at the first call.
 * @param refuse makes the error of the first fault; `problem` completes "PLACE …"
 */
export function reader<S extends TSchema>(
  schema: S,
  refuse: (path: readonly string[], problem: string) => Error,
): (value: unknown) => Static<S> {
  let validate: ValidateFunction<Static<S>> | undefined;
  return (value) => {
    validate ??= addRules(
      new Ajv({ ...OWN_SCHEMAS, allErrors: true, verbose: true, useDefaults: true, strictTypes: false }),
    ).compile<Static<S>>(schema);
    if (validate(value)) return value;
    const errors = (validate.errors ?? []) as readonly SchemaError[];
    // A name that is wrong is often why another one is missing.
    const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
    for (const error of [...unknown, ...errors]) {
      const fault = faultOf(error, 'field');
      if (fault)
        throw refuse(fault.path, `${fault.problem}${fault.isValue ? shown(error) : ''}${fault.likely}`);
    }
    throw refuse([], 'cannot be read');
  };
}

/**
 * A function that reads JSON that a person wrote, as {@link reader} reads its value.
 * @param what names the whole in messages, such as `the policy`
 * @param refuse makes the error of the first fault
 */
export function jsonReader<S extends TSchema>(
  schema: S,
  what: string,
  refuse: (reason: string) => Error,
): (json: string) => Static<S> {
  const read = reader(schema, (path, problem) => refuse(`${placeText(path) || what} ${problem}`));
  return (json) => read(parseJson(json, () => refuse(`${what} is not JSON`)));
}

function shown({ data, parentSchema = {} }: SchemaError): string {
  if (data === undefined || (parentSchema as { readonly secret?: boolean }).secret) return '';
  const text = maskText(JSON.stringify(data));
  return `, not ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`;
}
