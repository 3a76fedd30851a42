import { expect, it } from 'vitest';
import { currentKeySets, type DeviceKeySets } from './device-key-sets.js';

it('key sets are read anew, and are the last ones while the keys cannot be read', () => {
  const first: DeviceKeySets = new Map([['FFFF98', 'GERTEC_PPC930']]);
  const second: DeviceKeySets = new Map([...first, ['ABCD', undefined]]);
  let now: DeviceKeySets | undefined = first;
  const current = currentKeySets(() => {
    if (now === undefined) throw new Error('the token is away');
    return now;
  });
  expect(current()).toBe(first);
  now = second;
  expect(current()).toBe(second);
  now = undefined;
  expect(current()).toBe(second);
  now = first;
  expect(current()).toBe(first);
});
