import { isMapping, type Node } from './settings.js';

/**
 * A schema without what is inside of settings that are left out: for these values, their defaults filled in, it finds the same faults as the
 * whole, and compiles in a fraction of the time, which was a third of a program's start. Words for people stay, so texts of faults are the
 * same. Pure.
 * @param values all that stand where the schema holds, without defaults
 */
export function narrowSchema(node: Node, values: readonly unknown[]): Node {
  if (values.length === 0) return node.expected === undefined ? {} : { expected: node.expected };
  const { properties, required, additionalProperties, items, then, else: otherwise } = node;
  const mappings = values.filter(isMapping);
  const inside = (key: string) => mappings.flatMap((each) => (Object.hasOwn(each, key) ? [each[key]] : []));
  const named = properties ?? {};
  const others = () =>
    mappings.flatMap((each) =>
      Object.entries(each).flatMap(([key, value]) => (Object.hasOwn(named, key) ? [] : [value])),
    );
  return {
    ...node,
    ...(required && { required: required.filter((key) => named[key]?.default === undefined) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [key, narrowSchema(each, inside(key))]),
      ),
    }),
    ...(additionalProperties && { additionalProperties: narrowSchema(additionalProperties, others()) }),
    ...(items && { items: narrowSchema(items, values.filter(Array.isArray).flat()) }),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    ...(then && { then: narrowSchema(then, values) }),
    ...(otherwise && { else: narrowSchema(otherwise, values) }),
  };
}
