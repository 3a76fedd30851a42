import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** The schemas that ship with the vectors; the same path from sources and from the build. */
const SCHEMA_FOLDER = new URL('../../vectors/schema/', import.meta.url);

/** What a schema has against a file. */
interface SchemaFindings {
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
  const found = new Map<number, ErrorObject[]>();
  for (const error of validate.errors ?? []) {
    const index = /^\/vectors\/(\d+)/.exec(error.instancePath)?.[1];
    if (index === undefined) file.push(described(error));
    else found.set(Number(index), [...(found.get(Number(index)) ?? []), error]);
  }
  return {
    file,
    vectors: new Map([...found].map(([index, errors]) => [index, closest(errors, content, index)])),
  };
}

/** The first finding of a vector's own operation: those of the other operations mean nothing. */
function closest(errors: readonly ErrorObject[], content: unknown, index: number): string {
  const { vectors = [] } = content as {
    readonly vectors?: readonly { readonly inputs?: { readonly op?: unknown } }[];
  };
  const own = `#/$defs/${String(vectors[index]?.inputs?.op)}/`;
  const error = errors.find(({ schemaPath }) => schemaPath.startsWith(own)) ?? errors[0];
  return error === undefined ? 'not allowed' : described(error);
}

function described(error: ErrorObject): string {
  return `${error.instancePath || 'file'} ${error.message ?? error.keyword}`;
}
