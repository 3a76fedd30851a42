import { readFileSync } from 'node:fs';
import { fromHex } from '../bytes.js';

/** One entry of a vector file; see test/vectors/README.md. */
export interface Vector {
  readonly name: string;
  readonly source: string;
  readonly inputs: Readonly<Record<string, unknown>> & { readonly op: string };
  readonly expected: Readonly<Record<string, unknown>>;
}

/** The vectors of one topic, only those of the named operation where one is given. */
export function vectorsOf(topic: string, op?: string): readonly Vector[] {
  const file = new URL(`../../../../test/vectors/${topic}.json`, import.meta.url);
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { readonly vectors: readonly Vector[] };
  return op === undefined ? vectors : vectors.filter((vector) => vector.inputs.op === op);
}

/** A text input that must be there. */
export function text<T extends string = string>(vector: Vector, name: string): T {
  const value = vector.inputs[name];
  if (typeof value !== 'string') throw new Error(`${vector.name}: no input ${name}`);
  return value as T;
}

/** A hex input that must be there, as bytes. */
export function hex(vector: Vector, name: string): Buffer {
  return fromHex(text(vector, name));
}

/** Whether the vector expects a refusal. */
export function isNegative(vector: Vector): boolean {
  return 'error' in vector.expected;
}
