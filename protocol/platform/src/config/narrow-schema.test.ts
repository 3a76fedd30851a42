import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { faultOf, placeText, type SchemaError } from '../schema/fault.js';
import { mappingOf, oneOf, ruledText, section, text, wholeNumber } from '../schema/fields.js';
import { addRules, OWN_SCHEMAS } from '../schema/rule.js';
import { Type } from '../schema/type.js';
import { narrowSchema } from './narrow-schema.js';
import { flag, switchOr } from './setting.js';
import { fillDefaults, type Node, rootOf } from './settings.js';

const COUNT = wholeNumber(1, 9, { description: 'How many.' });
const LIMITS = section(
  { most: wholeNumber(1, 9, { description: 'At most.', default: 3 }), least: Type.Optional(COUNT) },
  { default: {} },
);
const ROOT = rootOf(
  section({
    name: text('lowercase letters', /^[a-z]+$/, { description: 'Its name.' }),
    limits: LIMITS,
    proxy: Type.Optional(section({ target: text('a target', /^t/), limits: LIMITS })),
    items: Type.Array(section({ id: COUNT, kind: oneOf(['red', 'blue']), more: Type.Optional(LIMITS) }), {
      default: [],
    }),
    own: Type.Optional(
      switchOr(section({ by: mappingOf('letters', /^[a-z]$/, 'one letter', LIMITS) }), {
        description: 'Own.',
      }),
    ),
    url: Type.Optional(ruledText('an address', (value) => (value === 'https:' ? undefined : {}))),
    on: flag({ description: 'On.', default: true }),
  }),
);

function faultsOf(schema: Node, value: unknown): readonly string[] {
  const ajv = addRules(new Ajv({ ...OWN_SCHEMAS, allErrors: true, verbose: true, strictTypes: false }));
  const validate = ajv.compile(schema);
  validate(value);
  return ((validate.errors ?? []) as readonly SchemaError[]).flatMap((error) => {
    const fault = faultOf(error, 'key');
    return fault ? [`${placeText(fault.path)} ${fault.problem}${fault.likely}`] : [];
  });
}

describe('a schema that is narrowed to a value', () => {
  it.each<[unknown, number]>([
    [{}, 1],
    [{ name: 'a' }, 0],
    [{ name: 'A', limits: { most: 0, lest: 1 }, on: 'yes' }, 4],
    [{ name: 'a', limits: 7, items: 'none', proxy: [], own: 'sometimes', url: 'ftp:' }, 5],
    [{ name: 'a', proxy: {} }, 1],
    [{ name: 'a', proxy: { target: 'x', limits: { least: 10 } } }, 2],
    [{ name: 'a', items: [{ id: 1, kind: 'red' }] }, 0],
    [{ name: 'a', items: [{ id: 1, kind: 'rde' }, { more: { most: 99 } }, 3] }, 5],
    [{ name: 'a', own: { by: { A: {}, b: { most: 11 }, c: 1 } } }, 3],
    [{ name: 'a', own: { bye: 1 } }, 2],
    [{ nmae: 'a', itms: [] }, 3],
    [[1], 1],
  ])('finds the same faults as the whole: %j', (written, count) => {
    const narrow = narrowSchema(ROOT, [written]);
    const value = structuredClone(written);
    fillDefaults(ROOT, value);
    const faults = faultsOf(ROOT, value);
    expect(faults).toHaveLength(count);
    expect(faultsOf(narrow, value)).toEqual(faults);
  });

  it('has nothing inside of what is left out', () => {
    const { properties = {} } = narrowSchema(ROOT, [{ name: 'a', items: [] }]);
    expect(properties.name).toEqual(ROOT.properties?.name);
    expect(properties.limits).toEqual({ expected: 'a mapping with most, least' });
    expect(properties.items?.items).toEqual({ expected: 'a mapping with id, kind, more' });
  });
});

it('fills in the defaults of all that is there', () => {
  const value = { name: 'a', proxy: {}, items: [{ more: {} }], own: { by: { a: {} } }, on: false };
  fillDefaults(ROOT, value);
  expect(value).toEqual({
    name: 'a',
    limits: { most: 3 },
    proxy: { limits: { most: 3 } },
    items: [{ more: { most: 3 } }],
    own: { by: { a: { most: 3 } } },
    on: false,
  });
});
