import { isDeepStrictEqual } from 'node:util';

/** A value as JSON holds it: absent fields stay absent. */
export function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Whether two values are the same as JSON, in any order of their fields. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(asJson(one), asJson(other));
}
