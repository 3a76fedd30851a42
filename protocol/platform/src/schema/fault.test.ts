import { expect, it } from 'vitest';
import { bodyFault, type SchemaError } from './fault.js';

it.each<[Partial<SchemaError>, string]>([
  [
    {
      instancePath: '/0/name',
      keyword: 'enum',
      params: { allowedValues: ['drop-ack', 'slow'] },
      data: 'drop-akc',
    },
    '[0].name must be one of drop-ack, slow; did you mean drop-ack?',
  ],
  [{ instancePath: '/state', keyword: 'enum', params: { allowedValues: ['up'] } }, 'state must be one of up'],
  [
    { keyword: 'additionalProperties', params: { additionalProperty: 'crad' } },
    'crad is no known field: none belongs here',
  ],
  [
    {
      instancePath: '/0',
      keyword: 'required',
      params: { missingProperty: 'card' },
      parentSchema: { properties: { card: { expected: 'a card' } } },
    },
    '[0].card is missing: expected a card',
  ],
  [
    { instancePath: '/pin', keyword: 'pattern', parentSchema: { expected: 'digits' }, data: '12' },
    'pin must be digits',
  ],
  [
    { keyword: 'maxItems', message: 'must NOT have more than 2 items' },
    'the body must NOT have more than 2 items',
  ],
  [{ instancePath: '/a~1b/0', keyword: 'rule', params: { at: 'c', problem: 'is odd' } }, 'a/b[0].c is odd'],
])('%j is reported with place, rule and likely intent', (fault, text) => {
  expect(bodyFault([{ instancePath: '', keyword: '', params: {}, ...fault }]).message).toBe(text);
});

it('reports a wrong name before a missing one, and masks it', () => {
  const missing = { instancePath: '', keyword: 'required', params: { missingProperty: 'card' } };
  const unknown = {
    instancePath: '',
    keyword: 'additionalProperties',
    params: { additionalProperty: '4111111111111111' },
    parentSchema: { properties: { card: {} } },
  };
  const { field, message } = bodyFault([missing, unknown]);
  expect(message).toMatch(/is no known field; expected card$/);
  expect(field).not.toContain('4111111111111111');
});
