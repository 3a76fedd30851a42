import { type ApiDocument, type Operation, resolved, type Schema } from './document.js';

/** A value that an operation takes. */
export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** Parameters that belong together. */
export interface ParameterGroup {
  readonly title: string;
  readonly parameters: readonly Parameter[];
}

/** Titles of the groups that have no prefix. */
const REQUIRED = 'Required';
const GENERAL = 'General';

/** Every parameter of an operation, in the order of the document. */
export function parametersOf(document: ApiDocument, { object }: Operation): readonly Parameter[] {
  const inUrl = (object.parameters ?? []).map(({ name, in: place, required, description, schema }) => ({
    name,
    place,
    required: required ?? false,
    description: description ?? schema?.description ?? '',
    schema: resolved(document, schema),
  }));
  const [content] = Object.values(object.requestBody?.content ?? {});
  return [...inUrl, ...(content ? inBody(document, resolved(document, content.schema)) : [])];
}

function inBody(document: ApiDocument, schema: Schema): readonly Parameter[] {
  const { properties = {}, patternProperties = {}, required = [] } = schema;
  const named = Object.entries(properties);
  const matched = Object.entries(patternProperties).map(
    ([pattern, value]) => [value['x-name'] ?? pattern, value] as const,
  );
  const own = [...named, ...matched].map(([name, value]) => ({
    name,
    place: 'body' as const,
    required: required.includes(name),
    description: value.description ?? '',
    schema: resolved(document, value),
  }));
  const parts = (schema.allOf ?? []).flatMap((part) => inBody(document, resolved(document, part)));
  return [...own, ...parts];
}

/** The prefix that a name shares with those of its group: `card` of `card.number`, `cart` of `cart.items[n].name`. */
function prefixOf(name: string): string | undefined {
  const [first = ''] = name.split('.', 1);
  return first === name ? undefined : first.replace(/\[.*$/, '');
}

/** Required parameters, then those without a prefix, then those of each prefix. */
export function groupsOfParameters(parameters: readonly Parameter[]): readonly ParameterGroup[] {
  const groups = new Map<string, Parameter[]>([
    [REQUIRED, []],
    [GENERAL, []],
  ]);
  for (const parameter of parameters) {
    const prefix = prefixOf(parameter.name);
    const title = parameter.required ? REQUIRED : prefix === undefined ? GENERAL : `${prefix}.*`;
    groups.set(title, [...(groups.get(title) ?? []), parameter]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => ({ title, parameters: members }));
}

/** The form of a value in words: `1 to 127 characters`. */
export function formOf({ enum: values, type, ...schema }: Schema): string {
  if (values) return `one of ${values.filter((value) => value !== null).join(', ')}`;
  const types = [type ?? []].flat().filter((each) => each !== 'null');
  const name = types.join(' or ') || 'any value';
  if (types[0] === 'array' && schema.items) return `list: ${formOf(schema.items)}`;
  if (schema.pattern !== undefined) return `text like ${schema.pattern.replace(/^\^|\$$/g, '')}`;
  if (schema.format !== undefined) return FORMATS[schema.format] ?? schema.format;
  const { minLength, maxLength, minimum, maximum } = schema;
  if (maxLength !== undefined) return `${range(minLength ?? 0, maxLength)} characters`;
  if (types[0] === 'integer') return `whole number${limits(minimum, maximum)}`;
  return { string: 'text', boolean: 'true or false' }[name] ?? name;
}

const FORMATS: Readonly<Record<string, string>> = { uri: 'URL', 'date-time': 'time, RFC 3339' };

function range(from: number, to: number): string {
  if (from === to) return String(from);
  return from === 0 ? `at most ${to}` : `${from} to ${to}`;
}

function limits(from: number | undefined, to: number | undefined): string {
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}`;
  return from === undefined || from === 0 ? '' : ` from ${from}`;
}
