import { expect, it } from 'vitest';
import { emptyForms, withoutEmptyFields } from './empty-forms.js';

it('leaves fields of a form empty, and every other example to the viewer', () => {
  const calls: unknown[][] = [];
  const getSampleSchema = (...args: unknown[]) => {
    calls.push(args);
    return 'made from the pattern';
  };
  // As the browser gets it: its text alone.
  const sent = new Function(`return ${emptyForms.toString()}`)() as typeof emptyForms;
  const { fn } = sent({ getSystem: () => ({ fn: { jsonSchema202012: { getSampleSchema } } }) });
  expect(fn.getSampleSchema({ type: 'string' }, false, { includeWriteOnly: true })).toBe('');
  expect(calls).toEqual([]);
  expect(fn.getSampleSchema({ type: 'object' }, 'application/json', {}, 'x')).toBe('made from the pattern');
  expect(calls).toEqual([[{ type: 'object' }, 'application/json', {}, 'x']]);
});

it('sends what was filled in alone', () => {
  const sent = new Function(`return ${withoutEmptyFields.toString()}`)() as typeof withoutEmptyFields;
  expect(sent({ url: '/v1/payments', body: 'amount=12.34&currency=&memo=a%3D' })).toEqual({
    url: '/v1/payments',
    body: 'amount=12.34&memo=a%3D',
  });
  expect(sent({ url: '/docs/openapi.json' })).toEqual({ url: '/docs/openapi.json' });
});
