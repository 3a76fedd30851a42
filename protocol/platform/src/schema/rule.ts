import type { Ajv, FuncKeywordDefinition } from 'ajv';

/** How a value breaks its rule; an empty one: it does not match `expected` of its schema. */
export interface RuleFault {
  /** The key inside the value that is wrong, where it is not the value itself. */
  readonly at?: string;
  /** Completes "FIELD …", instead of "must be" and what was expected. */
  readonly problem?: string;
  /** What was probably meant. */
  readonly likely?: string;
}

/** Checks what a schema cannot express; `path` leads to the value. Values of every type come: the schema's own rules may be broken, too. */
export type Rule = (value: unknown, path: readonly string[]) => RuleFault | undefined;

/** Words of our schemas with a meaning to people and programs, and none to a validator. */
const ANNOTATIONS = ['expected', 'aliases', 'env', 'fallback', 'secret', 'variables'];

/**
 * Options of a validator of our own schemas. Checking them by the meta-schema would cost each start of a program 50 ms, and optimizing the
 * code half of the compilation.
 */
export const OWN_SCHEMAS = { meta: false, validateSchema: false, code: { optimize: false } } as const;

/** Teaches a validator the keyword `rule` (a {@link Rule}) and the annotations of our schemas. */
export function addRules(ajv: Ajv): Ajv {
  ajv.addVocabulary(ANNOTATIONS);
  const compile: FuncKeywordDefinition['compile'] = (rule: Rule, parentSchema) => {
    const validate = (data: unknown, at?: { readonly instancePath: string }): boolean => {
      const fault = rule(data, pathOf(at?.instancePath ?? ''));
      Object.assign(validate, { errors: fault && [{ keyword: 'rule', params: fault, parentSchema }] });
      return fault === undefined;
    };
    return validate;
  };
  return ajv.addKeyword({ keyword: 'rule', compile, errors: true });
}

/** Steps of a JSON pointer (RFC 6901). */
export function pathOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A schema as JSON, without what stands in it for our own programs. */
export function plainSchema<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema, (key, value) => (ANNOTATIONS.includes(key) ? undefined : value)));
}
