import { maskText } from '@tillbridge/wire/mask/mask.js';
import { parseJson } from '@tillbridge/wire/text/parse-json.js';
import { Ajv, type ValidateFunction } from 'ajv';
import { faultOf, placeText, type SchemaError } from './fault.js';
import { addRules, OWN_SCHEMAS } from './rule.js';
import type { Static, TSchema } from './type.js';

/** Longest value that a message shows. */
const MAX_SHOWN = 40;

/** What is wrong at a place; `problem` completes "PLACE …". */
interface WrongPlace {
  readonly path: readonly string[];
  readonly problem: string;
}

type Read<T> = { readonly value: T } | { readonly faults: readonly WrongPlace[] };

/**
 * A function that reads what a person wrote: a value that fits the schema, with its defaults filled in, or every place where it does not fit,
 * with one fault each. A value stands in the message, with card numbers masked, unless its schema marks it as `secret`. The schema is compiled
 * at the first call.
 */
export function faultReader<S extends TSchema>(schema: S): (value: unknown) => Read<Static<S>> {
  let validate: ValidateFunction<Static<S>> | undefined;
  return (value) => {
    validate ??= addRules(
      new Ajv({ ...OWN_SCHEMAS, allErrors: true, verbose: true, useDefaults: true, strictTypes: false }),
    ).compile<Static<S>>(schema);
    if (validate(value)) return { value };
    const errors = (validate.errors ?? []) as readonly SchemaError[];
    // A name that is wrong is often why another one is missing.
    const isUnknown = ({ keyword }: SchemaError) => keyword === 'additionalProperties';
    const sorted = [...errors.filter(isUnknown), ...errors.filter((error) => !isUnknown(error))];
    const byPlace = new Map<string, WrongPlace>();
    for (const error of sorted) {
      const fault = faultOf(error, 'field');
      if (!fault) continue;
      const place = placeText(fault.path);
      if (byPlace.has(place)) continue;
      const problem = `${fault.problem}${fault.isValue ? shown(error) : ''}${fault.likely}`;
      byPlace.set(place, { path: fault.path, problem });
    }
    return { faults: [...byPlace.values()] };
  };
}

/**
 * A function that reads as {@link faultReader} does, and throws at the first fault.
 * @param refuse makes its error
 */
export function reader<S extends TSchema>(
  schema: S,
  refuse: (path: readonly string[], problem: string) => Error,
): (value: unknown) => Static<S> {
  const read = faultReader(schema);
  return (value) => valueOrThrow(read(value), refuse);
}

/**
 * A function that reads the JSON of a file, as {@link reader} reads its value.
 * @param what names the whole in messages, such as `the policy`
 * @param refuse makes the error of the first fault
 */
export function jsonReader<S extends TSchema>(
  schema: S,
  what: string,
  refuse: (reason: string) => Error,
): (json: string, file?: string) => Static<S> {
  const read = faultReader(schema);
  return (json, file) => {
    const refused = (reason: string) => refuse(file === undefined ? reason : `${file}: ${reason}`);
    const value = parseJson(json, () => refused(`${what} is not JSON`));
    return valueOrThrow(read(value), (path, problem) => refused(`${placeText(path) || what} ${problem}`));
  };
}

function valueOrThrow<T>(read: Read<T>, refuse: (path: readonly string[], problem: string) => Error): T {
  if ('value' in read) return read.value;
  const [{ path, problem } = { path: [], problem: 'cannot be read' }] = read.faults;
  throw refuse(path, problem);
}

function shown({ data, parentSchema = {} }: SchemaError): string {
  if (data === undefined || (parentSchema as { readonly secret?: boolean }).secret) return '';
  const text = maskText(JSON.stringify(data));
  return `, not ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`;
}
