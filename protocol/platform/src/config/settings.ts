import type { TSchema } from '../schema/type.js';
import { readYamlText } from './yaml-file.js';

/** What we read in a schema: the parts of JSON Schema that configurations use, and our annotations. */
export interface Node {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | false;
  readonly items?: Node;
  readonly then?: Node;
  readonly else?: Node;
  readonly expected?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly fallback?: string;
  readonly env?: string;
  readonly secret?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
}

/** One setting of a program. */
export interface Setting {
  /** `[]` stands for each of a list, `NAME` for each key of a mapping. */
  readonly path: readonly string[];
  readonly node: Node;
}

/** A schema as the nodes that we read. */
export function rootOf(schema: TSchema): Node {
  return schema as Node;
}

/** The part of a schema for the content of a mapping or a list. */
export function insideOf(node: Node): Node {
  const parts = [node, node.then, node.else].filter((part) => part !== undefined);
  return parts.find(({ properties, additionalProperties }) => properties ?? additionalProperties) ?? node;
}

/** Every setting with its own meaning, in the order of the schema. */
export function settingsOf(node: Node, path: readonly string[] = []): readonly Setting[] {
  const own = node.description === undefined ? [] : [{ path, node }];
  const inner = insideOf(node);
  const named = Object.entries(inner.properties ?? {}).flatMap(([key, each]) =>
    settingsOf(each, [...path, key]),
  );
  const items = inner.items ? settingsOf(inner.items, [...path, '[]']) : [];
  const values = inner.additionalProperties ? settingsOf(inner.additionalProperties, [...path, 'NAME']) : [];
  return [...own, ...named, ...items, ...values];
}

/** A mapping of a configuration. */
export type Mapping = Record<string, unknown>;

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts the defaults of the schema where a value has nothing. */
export function fillDefaults(node: Node, value: unknown): void {
  const { properties = {}, additionalProperties, items } = insideOf(node);
  if (Array.isArray(value)) {
    if (items) for (const each of value) fillDefaults(items, each);
    return;
  }
  if (!isMapping(value)) return;
  for (const [key, each] of Object.entries(properties))
    if (each.default !== undefined && value[key] === undefined) value[key] = structuredClone(each.default);
  for (const [key, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (known) fillDefaults(known, inner);
  }
}

/** Values of switches as files and variables have them. */
const FLAGS: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };

/** The value without empty members, its numbers and switches converted from texts. */
export function tidy(node: Node, value: unknown): unknown {
  if (value === null) return node.type?.includes('null') ? null : undefined;
  const inner = insideOf(node);
  if (Array.isArray(value))
    return value.map((each) => (inner.items ? (tidy(inner.items, each) ?? null) : each));
  if (typeof value === 'object') {
    const entries = Object.entries(value as Record<string, unknown>).map(([key, each]) => {
      const known =
        inner.properties && Object.hasOwn(inner.properties, key) ? inner.properties[key] : undefined;
      return [key, tidy(known ?? (inner.additionalProperties || {}), each)] as const;
    });
    return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
  }
  if (node.type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  if (node.type === 'boolean') return FLAGS[String(value)] ?? value;
  return value;
}

/** The value that a variable's text stands for; lists and mappings are YAML. */
export function valueOfVariable(node: Node, text: string): unknown {
  return tidy(node, node.then || node.items ? readYamlText(text) : text);
}
