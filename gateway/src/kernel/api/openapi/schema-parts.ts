import type { Json, JsonObject } from './json.js';

export const TEXT: JsonObject = { type: 'string' };
export const FLAG: JsonObject = { type: 'boolean' };
export const COUNT: JsonObject = { type: 'integer', minimum: 0 };
/** Number of a page, or how many there are. */
export const PAGE: JsonObject = { type: 'integer', minimum: 1 };
/** A time as RFC 3339 has it. */
export const INSTANT: JsonObject = { type: 'string', format: 'date-time' };

/** One of these texts. */
export function oneOf(...values: readonly string[]): JsonObject {
  return { type: 'string', enum: values };
}

/** A list of values of a schema. */
export function listOf(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

/** Texts under these names. */
export function texts(...names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(names.map((name) => [name, TEXT]));
}

/** An object with these members; others may come. */
export function objectOf(properties: Record<string, Json>, required?: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required && { required }) };
}

/** The schema of a name in the document. */
export function reference(schema: string): JsonObject {
  return { $ref: `#/components/schemas/${schema}` };
}
