import { expect, it } from 'vitest';
import { reader } from './reader.js';
import { Type } from './type.js';

const read = reader(
  Type.Object(
    {
      count: Type.Integer({ minimum: 1, expected: 'a number from 1', default: 3 }),
      pin: Type.Optional(Type.String({ pattern: '^\\d+$', expected: 'digits', secret: true })),
      text: Type.Optional(Type.String({ maxLength: 4, expected: 'a short text' })),
    },
    { additionalProperties: false, expected: 'an object' },
  ),
  (path, problem) => new Error(`${path.join('/')} ${problem}`),
);

it('fills in defaults', () => {
  expect(read({ text: 'a' })).toEqual({ count: 3, text: 'a' });
});

it.each<[unknown, string]>([
  [[], ' must be an object, not []'],
  [{ count: 0 }, 'count must be a number from 1, not 0'],
  [{ coumt: 1, text: 7 }, 'coumt is no known field; did you mean count?'],
  [{ text: 'x'.repeat(60) }, `text must be a short text, not "${'x'.repeat(39)}…`],
  [{ text: '4200000000000000' }, 'text must be a short text, not "420000******0000"'],
])('names the place, the rule and what is there: %j', (value, message) => {
  expect(() => read(value)).toThrow(new Error(message));
});

it('does not show a secret', () => {
  expect(() => read({ pin: 'S3CRET' })).toThrow(new Error('pin must be digits'));
});
