import type { Json, JsonObject } from './json.js';

/**
 * What a newer OpenAPI document of ours takes from a client that was written against an older one (changes within a
 * version are backwards compatible). Pure.
 * @returns one line per break; empty when there is none
 */
export function openApiBreaks(older: JsonObject, newer: JsonObject): string[] {
  return [...pathBreaks(older, newer), ...schemaBreaks(older, newer)];
}

function pathBreaks(older: JsonObject, newer: JsonObject): string[] {
  const breaks: string[] = [];
  for (const [path, methods] of entries(older.paths)) {
    for (const [method, operation] of entries(methods)) {
      const where = `${method.toUpperCase()} ${path}`;
      const now = objectAt(newer, 'paths', path, method);
      if (!now) breaks.push(`${where} is gone`);
      else
        breaks.push(...securityBreaks(where, operation, now), ...urlParameterBreaks(where, operation, now));
    }
  }
  return breaks;
}

/** Who needed no token needs none later. */
function securityBreaks(where: string, older: Json, newer: JsonObject): string[] {
  const isOpen = (operation: Json): boolean =>
    isObject(operation) && Array.isArray(operation.security) && operation.security.length === 0;
  return isOpen(older) && !isOpen(newer) ? [`${where} now needs a token`] : [];
}

function urlParameterBreaks(where: string, older: Json, newer: JsonObject): string[] {
  const before = byName(isObject(older) ? older.parameters : undefined);
  const after = byName(newer.parameters);
  const breaks: string[] = [];
  for (const [name, parameter] of before) {
    const now = after.get(name);
    if (!now) breaks.push(`${where} takes no ${name} any more`);
    else breaks.push(...narrower(`${where} ${name}`, parameter.schema, now.schema));
  }
  for (const [name, parameter] of after) {
    if (parameter.required === true && before.get(name)?.required !== true)
      breaks.push(`${where} now needs ${name}`);
  }
  return breaks;
}

function schemaBreaks(older: JsonObject, newer: JsonObject): string[] {
  const breaks: string[] = [];
  for (const [name, schema] of entries(objectAt(older, 'components', 'schemas'))) {
    const now = objectAt(newer, 'components', 'schemas', name);
    if (!now) breaks.push(`schema ${name} is gone`);
    else if (name.endsWith('Request')) breaks.push(...requestBreaks(name, schema, now));
    else breaks.push(...answerBreaks(name, schema, now));
  }
  return breaks;
}

/** A request needs no more parameters and is refused for no more reasons than before. */
function requestBreaks(where: string, older: Json, newer: JsonObject): string[] {
  const breaks: string[] = [];
  for (const group of ['properties', 'patternProperties']) {
    for (const [name, schema] of entries(isObject(older) ? older[group] : undefined)) {
      const now = objectAt(newer, group, name);
      if (!now) breaks.push(`${where} takes no ${name} any more`);
      else breaks.push(...narrower(`${where} ${name}`, schema, now));
    }
  }
  const before = texts(isObject(older) ? older.required : undefined);
  for (const name of texts(newer.required))
    if (!before.includes(name)) breaks.push(`${where} now needs ${name}`);
  return breaks;
}

/** A value that was right must stay right: lengths may grow, lists may grow, a pattern stays as it is. */
function narrower(where: string, older: Json | undefined, newer: Json | undefined): string[] {
  if (!isObject(older) || !isObject(newer)) return [];
  const breaks: string[] = [];
  const gone = texts(older.enum).filter((value) => !texts(newer.enum).includes(value));
  if (newer.enum !== undefined && gone.length > 0) breaks.push(`${where} lost ${gone.join(', ')}`);
  if (newer.enum !== undefined && older.enum === undefined) breaks.push(`${where} is now one of a list`);
  if (newer.pattern !== undefined && newer.pattern !== older.pattern)
    breaks.push(`${where} has another pattern`);
  if (numberOf(newer.minLength, 0) > numberOf(older.minLength, 0)) breaks.push(`${where} must be longer`);
  if (numberOf(newer.maxLength, Infinity) < numberOf(older.maxLength, Infinity)) {
    breaks.push(`${where} must be shorter`);
  }
  if (numberOf(older['x-minimum'], Infinity) < numberOf(newer['x-minimum'], -Infinity)) {
    breaks.push(`${where} must be more`);
  }
  if (numberOf(older['x-maximum'], -Infinity) > numberOf(newer['x-maximum'], Infinity)) {
    breaks.push(`${where} must be less`);
  }
  return breaks;
}

/** An answer keeps the members that it had, in their types. */
function answerBreaks(where: string, older: Json, newer: Json | undefined): string[] {
  if (!isObject(older)) return [];
  if (!isObject(newer)) return [`${where} is gone`];
  const breaks: string[] = [];
  if (JSON.stringify(older.type) !== JSON.stringify(newer.type)) breaks.push(`${where} has another type`);
  if (older.$ref !== undefined && older.$ref !== newer.$ref) breaks.push(`${where} is something else`);
  const promised = texts(newer.required);
  for (const name of texts(older.required)) {
    if (!promised.includes(name)) breaks.push(`${where}.${name} is no longer in every answer`);
  }
  for (const [name, schema] of entries(older.properties)) {
    breaks.push(...answerBreaks(`${where}.${name}`, schema, objectAt(newer, 'properties', name)));
  }
  if (older.items !== undefined) breaks.push(...answerBreaks(`${where}[]`, older.items, newer.items));
  const parts = listOf(newer.allOf);
  for (const [at, part] of listOf(older.allOf).entries())
    breaks.push(...answerBreaks(where, part, parts[at]));
  return breaks;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function entries(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

function objectAt(root: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  let value: Json | undefined = root;
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(value) ? value : undefined;
}

function byName(parameters: Json | undefined): Map<string, JsonObject> {
  const list = Array.isArray(parameters) ? parameters.filter(isObject) : [];
  return new Map(list.map((parameter) => [String(parameter.name), parameter]));
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
