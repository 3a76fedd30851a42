import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** The schemas that ship beside the vectors; the same path from sources and from the build. */
const SCHEMA_FOLDER = new URL('../../vectors/schema/', import.meta.url);

/** What a schema has against a file. */
export interface SchemaFindings {
  /** Against the file as a whole. */
  readonly file: readonly string[];
  /** Against single vectors, by their place in the list. */
  readonly vectors: ReadonlyMap<number, string>;
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
const validators = new Map<string, ValidateFunction>();

function validatorOf(topic: string): ValidateFunction {
  const known = validators.get(topic);
  if (known !== undefined) return known;
  const schema = JSON.parse(readFileSync(new URL(`${topic}.schema.json`, SCHEMA_FOLDER), 'utf8'));
  const compiled = ajv.compile(schema);
  validators.set(topic, compiled);
  return compiled;
}

/** Checks a file against the schema of its topic. */
export function checkSchema(topic: string, content: unknown): SchemaFindings {
  const validate = validatorOf(topic);
  if (validate(content)) return { file: [], vectors: new Map() };
  const file: string[] = [];
  const vectors = new Map<number, string>();
  for (const error of validate.errors ?? []) {
    const index = /^\/vectors\/(\d+)/.exec(error.instancePath)?.[1];
    if (index === undefined) file.push(described(error));
    // The first finding of a vector is the closest to what is wrong; those of the other alternatives follow it.
    else if (!vectors.has(Number(index))) vectors.set(Number(index), described(error));
  }
  return { file, vectors };
}

function described(error: ErrorObject): string {
  return `${error.instancePath || 'file'} ${error.message ?? error.keyword}`;
}
