import { fromHex } from '@tillbridge/protocol/bytes.js';
import { describe, expect, it } from 'vitest';
import type { DeviceKeySets } from '../../security/keys/device-key-sets.js';
import { decideKeyProfile } from './key-profile.js';

const ksn = fromHex('FFFF9876543210E00001');
const keySets = (...sets: readonly (readonly [string, string | undefined])[]): DeviceKeySets => new Map(sets);

describe('decideKeyProfile', () => {
  it('takes the device type where the key set is nobody’s, or of several', () => {
    for (const known of [keySets(), keySets(['FFFF', undefined])]) {
      expect(decideKeyProfile('GERTEC_PPC930', ksn, known)).toEqual({ ok: true, profile: 'GERTEC_PPC930' });
    }
  });

  it('takes the device type of the longest key set where none is sent', () => {
    const known = keySets(['FFFF98', 'default'], ['FFFF9876', 'GERTEC_PPC930'], ['FFFF', undefined]);
    expect(decideKeyProfile(undefined, ksn, known)).toEqual({ ok: true, profile: 'GERTEC_PPC930' });
  });

  it.each([
    ['neither', undefined, keySets(), 'may not be empty'],
    [
      'a key set of no one type inside one that has one',
      undefined,
      keySets(['FFFF9876', undefined], ['FFFF', 'default']),
      'may not be empty',
    ],
    [
      'a type that we do not know, and names the terminal models alone',
      'OTHER',
      keySets(),
      'must be one of [GERTEC_PPC930, IDTECH_VP6800, MAGTEK_DYNAFLEX, MIURA_M020, NEWLAND_P180, VERIFONE_P400]',
    ],
    ['one that is nearly known', 'Gertec-PPC390', keySets(), 'VERIFONE_P400]; did you mean GERTEC_PPC930?'],
    ['the profile of no terminal model', 'default', keySets(['FFFF98', 'default']), 'must be one of [GERTEC'],
    ['two that differ', 'MIURA_M020', keySets(['FFFF9876', 'GERTEC_PPC930']), 'belongs to GERTEC_PPC930'],
  ])('refuses %s', (_what, deviceType, known, message) => {
    const verdict = decideKeyProfile(deviceType, ksn, known);
    expect(verdict).toEqual({ ok: false, message: expect.stringContaining(message) });
  });
});
