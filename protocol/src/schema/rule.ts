/** What a value has against its rule; an empty one: it is not what `expected` of its schema says. */
export interface RuleFault {
  /** The key inside the value that is wrong, where it is not the value itself. */
  readonly at?: string;
  /** Completes "FIELD …", instead of "must be" and what was expected. */
  readonly problem?: string;
  /** What was probably meant. */
  readonly likely?: string;
}

/** Checks what a schema cannot say; `path` leads to the value. Values of every type come: the schema's own rules may be broken, too. */
export type Rule = (value: unknown, path: readonly string[]) => RuleFault | undefined;

/** Words of our schemas that say something to people and programs, and nothing to a validator. */
export const ANNOTATIONS = ['expected', 'aliases', 'env', 'fallback', 'secret', 'variables'];

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
