import { fromHex } from '@tillbridge/protocol/bytes.js';
import { describe, expect, it } from 'vitest';
import { DeviceKeySetsError, decideKeyProfile, readDeviceKeySets } from './key-profile.js';

const ksn = fromHex('FFFF9876543210E00001');
const none = readDeviceKeySets('{}');

describe('decideKeyProfile', () => {
  it('takes the device type where the key set is nobody’s', () => {
    expect(decideKeyProfile('GERTEC_PPC930', ksn, none)).toEqual({ ok: true, profile: 'GERTEC_PPC930' });
  });

  it('takes the device type of the longest key set where none is sent', () => {
    const keySets = readDeviceKeySets('{"FFFF98":"default","FFFF9876":"GERTEC_PPC930"}');
    expect(decideKeyProfile(undefined, ksn, keySets)).toEqual({ ok: true, profile: 'GERTEC_PPC930' });
  });

  it.each([
    ['neither', undefined, '{}', 'may not be empty'],
    ['a type that we do not know', 'OTHER', '{}', 'must be one of [GERTEC_PPC930, default]'],
    ['two that differ', 'default', '{"FFFF9876":"GERTEC_PPC930"}', 'belongs to GERTEC_PPC930'],
  ])('refuses %s', (_what, deviceType, json, message) => {
    const verdict = decideKeyProfile(deviceType, ksn, readDeviceKeySets(json));
    expect(verdict).toEqual({ ok: false, message: expect.stringContaining(message) });
  });
});

it.each([
  ['{', 'not JSON'],
  ['[]', 'must be an object'],
  ['{"ffff98":"default"}', 'ffff98 is not 6 to 16 uppercase hex digits'],
  ['{"FFFF98":"OTHER"}', 'FFFF98 must be one of GERTEC_PPC930'],
])('refuses the table %s', (json, message) => {
  expect(() => readDeviceKeySets(json)).toThrow(DeviceKeySetsError);
  expect(() => readDeviceKeySets(json)).toThrow(message);
});
