import { readFileSync } from 'node:fs';
import { runVectors } from './run-vectors.js';

// The published vectors leave operations, values and errors of the schemas without an example. Here each has one, expected by the second
// implementation of `independent.test.support.ts` or by what the README of the vectors describes.

/** Inputs and what is expected of them. */
export type Case = readonly [
  inputs: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, unknown>>,
];

/** Uppercase hex. */
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** What the runner has against these vectors. */
export function problems(topic: string, cases: readonly Case[]): readonly string[] {
  const vectors = cases.map(([inputs, expected], i) => ({ name: `${i}`, source: 'here', inputs, expected }));
  return runVectors([{ path: 'here', content: { topic, note: '', count: cases.length, vectors } }]).problems;
}

/** A published vector. */
interface Published {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Published vectors of an operation. */
export function published(topic: string, op: string): readonly Published[] {
  const file = new URL(`../../vectors/${topic}.json`, import.meta.url);
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Published[] };
  return vectors.filter(({ inputs }) => inputs.op === op);
}

/** The first published vector that went well, its inputs changed, and what is then expected. */
export function changed(
  topic: string,
  op: string,
  inputs: Readonly<Record<string, unknown>>,
  error: string,
): Case {
  const [good] = published(topic, op).filter(({ expected }) => expected.error === undefined);
  return [{ ...good?.inputs, ...inputs }, { error }];
}
