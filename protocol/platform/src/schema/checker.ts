import { Ajv } from 'ajv';
import { addRules, OWN_SCHEMAS } from './rule.js';
import type { Static, TSchema } from './type.js';

/**
 * A function that returns whether a value fits the schema, without reasons: use it where the value must not be quoted. The schema is
 * compiled at its first call.
 */
export function checker<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  let fits: ((value: unknown) => value is Static<S>) | undefined;
  return (value): value is Static<S> => {
    fits ??= addRules(new Ajv(OWN_SCHEMAS)).compile<Static<S>>(schema);
    return fits(value);
  };
}
