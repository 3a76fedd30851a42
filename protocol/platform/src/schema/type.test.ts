import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { type Static, Type } from './type.js';

const SALE = Type.Object(
  {
    reference: Type.String({ pattern: '^o' }),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    final: Type.Optional(Type.Boolean()),
    notes: Type.Array(Type.String()),
    outcome: Type.Unsafe<'approved' | 'declined'>({ enum: ['approved', 'declined'] }),
  },
  { additionalProperties: false },
);

it('makes JSON Schema alone, in which every key is required that is not optional', () => {
  expect(JSON.parse(JSON.stringify(SALE))).toStrictEqual(SALE);
  expect(SALE).toMatchObject({ type: 'object', required: ['reference', 'notes', 'outcome'] });
  expect(Type.Object({ count: Type.Optional(Type.Integer()) })).not.toHaveProperty('required');
});

it('gives the static type of what the schema takes', () => {
  const sale: Static<typeof SALE> = { reference: 'o-1', notes: [], outcome: 'approved' };
  const fits = new Ajv().compile(SALE);
  expect(fits(sale)).toBe(true);
  expect(fits({ ...sale, count: 2, final: true })).toBe(true);
  expect(fits({ ...sale, count: 0 })).toBe(false);
  expect(fits({ ...sale, outcome: 'unknown' })).toBe(false);
});

it('leaves a schema that is required elsewhere as it is', () => {
  const text = Type.String();
  Type.Object({ maybe: Type.Optional(text) });
  expect(Type.Object({ text })).toHaveProperty('required', ['text']);
});
