import { AGENT_SETTINGS } from '@tillbridge/agent/config/schema.js';
import { GATEWAY_SETTINGS } from '@tillbridge/gateway/app/configuration/schema.js';
import { SIMULATOR_SETTINGS } from '@tillbridge/hardware-sim/config/schema.js';
import { fillDefaults, type Node, rootOf } from '@tillbridge/platform/config/settings.js';
import { addRules, OWN_SCHEMAS } from '@tillbridge/platform/schema/rule.js';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';

/** Every part of a schema that has a default, with its place. */
function presetParts(node: Node, place: string): readonly (readonly [place: string, part: Node])[] {
  const { properties = {}, additionalProperties, items, then, else: otherwise } = node;
  const inner = {
    ...properties,
    '[]': items,
    NAME: additionalProperties || undefined,
    then,
    else: otherwise,
  };
  return [
    ...(node.default === undefined ? [] : [[place, node] as const]),
    ...Object.entries(inner).flatMap(([key, each]) => (each ? presetParts(each, `${place}.${key}`) : [])),
  ];
}

// Programs check what is written, and take defaults as they are.
it.each([
  ['gateway', GATEWAY_SETTINGS],
  ['agent', AGENT_SETTINGS],
  ['simulator', SIMULATOR_SETTINGS],
] as const)('each default of the %s fits its schema', (program, schema) => {
  const ajv = addRules(new Ajv({ ...OWN_SCHEMAS, allErrors: true, strictTypes: false }));
  const parts = presetParts(rootOf(schema), program);
  expect(parts.length).toBeGreaterThan(10);
  for (const [place, part] of parts) {
    const value = structuredClone(part.default);
    fillDefaults(part, value);
    expect(ajv.validate(part, value), `${place}: ${ajv.errorsText()}`).toBe(true);
  }
});
