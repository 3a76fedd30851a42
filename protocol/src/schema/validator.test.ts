import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { Type } from './type.js';
import { validatorOf } from './validator.js';

const COUNT = { type: 'integer', minimum: 1, maximum: 9 };
const OWN = {
  type: 'object',
  required: ['by'],
  properties: { by: { type: 'object', propertyNames: { pattern: '^[a-z]$' }, additionalProperties: COUNT } },
  additionalProperties: false,
};
/** Every keyword that is obeyed. */
const SCHEMA = {
  type: 'object',
  required: ['name', 'kind', 'port'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^\\p{L}' },
    kind: { enum: ['red', 'blue', 7] },
    port: { ...COUNT, default: 8 },
    ratio: { type: ['number', 'null'] },
    flag: { type: 'boolean' },
    list: { type: 'array', items: COUNT, minItems: 1, maxItems: 3, uniqueItems: true },
    deep: {
      type: 'object',
      properties: { 'a/b': { type: 'string' }, limit: { ...COUNT, default: 3 } },
      default: {},
    },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    own: { if: { type: 'object' }, then: OWN, else: { enum: ['off', 'on'] } },
  },
};
const GOOD = { name: 'Zoë', kind: 'red' };

describe('what is wrong with a value', () => {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    strict: false,
    strictNumbers: true,
  });
  const compiled = ajv.compile(SCHEMA);
  const validate = validatorOf(SCHEMA);
  const told = (errors: readonly object[] = []) =>
    errors.map((each) => {
      const { keyword, instancePath, message, params, data, parentSchema, propertyName } = each as Record<
        string,
        unknown
      >;
      const where = propertyName === undefined ? {} : { propertyName };
      // What twice the same is, nobody is told.
      const about = keyword === 'uniqueItems' ? {} : { message, params };
      return { keyword, instancePath, ...about, data, parentSchema, ...where };
    });

  it.each([
    GOOD,
    {},
    [],
    null,
    'text',
    { ...GOOD, name: 'x', kind: 'green', port: 0 },
    { ...GOOD, name: '12345', port: 10 },
    { ...GOOD, name: '😀😀😀😀', port: 1.5 },
    { ...GOOD, name: 3, port: '8', kind: 7 },
    { ...GOOD, ratio: null, flag: true, list: [1, 2] },
    { ...GOOD, ratio: 'a', flag: 0, list: [] },
    { ...GOOD, ratio: Number.NaN, list: [1, 2, 3, 12] },
    { ...GOOD, list: [4, 4] },
    { ...GOOD, list: { 0: 1 } },
    { ...GOOD, deep: { 'a/b': 1, limit: 99, more: 1 } },
    { ...GOOD, deep: [] },
    { ...GOOD, nmae: 1, 'x/y': 2 },
    { ...GOOD, own: 'off' },
    { ...GOOD, own: 'of' },
    { ...GOOD, own: { by: { a: 1 } } },
    { ...GOOD, own: { by: { A: 1, b: 0 }, of: 1 } },
    { ...GOOD, own: {} },
    JSON.parse('{"name": "Zoë", "kind": "red", "__proto__": 1, "constructor": 2}'),
  ])('%j: as Ajv tells it, with the same left in the place of what was absent', (value) => {
    const [ours, theirs] = [structuredClone(value), structuredClone(value)];
    expect(validate(ours)).toBe(compiled(theirs));
    expect(told(validate.errors)).toEqual(told(compiled.errors ?? []));
    expect(ours).toEqual(theirs);
  });
});

it('asks a rule, with the place of the value', () => {
  const rule = (value: unknown, path: readonly string[]) =>
    value === 'good' ? undefined : { problem: `is bad at ${path.join(' > ')}` };
  const validate = validatorOf(Type.Object({ 'a/b': Type.Unsafe<string>({ rule, expected: 'good' }) }));
  expect(validate({ 'a/b': 'good' })).toBe(true);
  expect(validate({ 'a/b': 'evil' })).toBe(false);
  expect(validate.errors).toMatchObject([
    { keyword: 'rule', instancePath: '/a~1b', params: { problem: 'is bad at a/b' }, data: 'evil' },
  ]);
});

it('refuses a schema with a keyword that it would not obey', () => {
  expect(() => validatorOf({ properties: { size: { multipleOf: 2 } } })).toThrow('multipleOf');
});
