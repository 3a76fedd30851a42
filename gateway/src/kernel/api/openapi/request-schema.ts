import { CONDITIONS } from '../catalogue/rows/conditions.js';
import type { Operation, Parameter } from '../catalogue/rows/parameter.js';
import { SCHEME_KEYS } from '../catalogue/three-d-secure.js';
import { rowsOf } from '../check/check-request.js';
import { characterPattern } from '../format-error.js';
import { requiredOf, WHOLE_TYPES } from '../rules/operation.js';
import { formatSchema } from './format-schema.js';
import type { Json, JsonObject } from './json.js';

const INDEX = '(0|[1-9]\\d{0,2}|1000)';

/** Schema of a form body: a flat object whose names are those of the catalogue. */
export function requestSchema(operation: Operation): JsonObject {
  return formSchema(rowsOf(operation), alwaysRequired(operation));
}

/** Schema of a form of these rows. */
export function formSchema(rows: readonly Parameter[], required: readonly string[] = []): JsonObject {
  const properties: Record<string, Json> = {};
  const patternProperties: Record<string, Json> = {};
  for (const row of rows) {
    const pattern = namePattern(row);
    if (pattern === undefined) properties[row.name] = parameterSchema(row);
    else patternProperties[pattern] = { ...parameterSchema(row), 'x-name': row.name };
  }
  return {
    type: 'object',
    properties,
    patternProperties,
    required: [...required],
    additionalProperties: false,
  };
}

/** The rows of an operation as parameters of a URL's query. */
export function queryParameters(operation: Operation): JsonObject[] {
  return rowParameters(rowsOf(operation), alwaysRequired(operation));
}

/** Rows as parameters of a URL's query. */
export function rowParameters(rows: readonly Parameter[], required: readonly string[] = []): JsonObject[] {
  return rows.map((row) => ({
    name: row.name,
    in: 'query',
    required: required.includes(row.name),
    schema: formatSchema(row.format),
    ...(row.condition && { description: CONDITIONS[row.condition] }),
  }));
}

/** Pattern of the names that a row stands for; undefined where it is one name. */
export function namePattern({ name, key }: Parameter): string | undefined {
  if (!/\[(n|key)\]|<scheme>/.test(name)) return undefined;
  const keyPattern = key?.kind === 'characters' ? characterPattern(key).slice(1, -1) : '[^\\[\\]]+';
  const escaped = name.replace(/[.[\]]/g, '\\$&');
  return `^${escaped
    .replaceAll('\\[n\\]', `\\[${INDEX}\\]`)
    .replace('\\[key\\]', `\\[${keyPattern}\\]`)
    .replace('<scheme>', `(${SCHEME_KEYS.join('|')})`)}$`;
}

/** Names that an operation needs even where it needs least: of a reversal, or of a checkout that stores only. */
function alwaysRequired(operation: Operation): readonly string[] {
  const values = new Map([
    ['paymentType', WHOLE_TYPES[0] ?? ''],
    ['createRegistration', 'true'],
  ]);
  return requiredOf({ operation, values, sent: new Set() });
}

function parameterSchema(row: Parameter): JsonObject {
  const schema = formatSchema(row.format);
  const notes = [schema.description, row.condition && CONDITIONS[row.condition]].filter(
    (note) => typeof note === 'string',
  );
  return {
    ...schema,
    ...(notes.length > 0 && { description: notes.join(' ') }),
    ...(row.sensitive && { writeOnly: true, 'x-sensitive': true }),
    ...(row.echoed && { 'x-echoed': true }),
  };
}
