import { readFileSync } from 'node:fs';

/** Inputs of the published vectors of one topic, as they stand in the file. */
export type VectorInputs = Readonly<Record<string, unknown>>;

const FOLDER = new URL('../../vectors/', import.meta.url);

/** The inputs of a topic's vectors. */
export function vectorInputs(topic: string): readonly VectorInputs[] {
  const text = readFileSync(new URL(`${topic}.json`, FOLDER), 'utf8');
  const { vectors } = JSON.parse(text) as { readonly vectors: readonly { readonly inputs: VectorInputs }[] };
  return vectors.map(({ inputs }) => inputs);
}

/** One text input of every vector of a topic that has it. */
export function vectorTexts(topic: string, name: string): readonly string[] {
  return vectorInputs(topic).flatMap((inputs) => {
    const value = inputs[name];
    return typeof value === 'string' ? [value] : [];
  });
}
