import { expect, it } from 'vitest';
import { bodyFaultText, type SchemaFault } from './body-faults.js';

it.each<[Partial<SchemaFault>, string]>([
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
  [{ keyword: 'additionalProperties', params: { additionalProperty: 'crad' } }, 'the body has no field crad'],
  [
    { keyword: 'required', message: "must have required property 'card'" },
    "the body must have required property 'card'",
  ],
  [
    { instancePath: '/pin', keyword: 'pattern', parentSchema: { description: 'digits' }, data: '12' },
    'pin must be digits',
  ],
])('%j is told with place, rule and likely intent', (fault, text) => {
  expect(bodyFaultText({ instancePath: '', keyword: '', params: {}, ...fault })).toBe(text);
});
