import { describe, expect, it } from 'vitest';
import type { DeviceKeySets } from '../keys/device-key-sets.js';
import { decideKeyProfile } from './key-profile.js';

const KSN = 'FFFF9876543210E00001';
const keySets = (...sets: readonly (readonly [string, string | undefined])[]): DeviceKeySets => new Map(sets);

describe('decideKeyProfile', () => {
  it('takes the type of the device unless another type is stated', () => {
    for (const known of [keySets(), keySets(['FFFF', undefined]), keySets(['FFFF98', 'GERTEC_PPC930'])])
      for (const sent of [undefined, 'GERTEC_PPC930'])
        expect(decideKeyProfile(sent, 'GERTEC_PPC930', KSN, known)).toBe('GERTEC_PPC930');
  });

  it('listens to the longest key set alone', () => {
    const known = keySets(
      ['FFFF98', 'MIURA_M020'],
      ['FFFF9876', 'GERTEC_PPC930'],
      ['AAAAAAAAAA', 'MIURA_M020'],
    );
    expect(decideKeyProfile(undefined, 'GERTEC_PPC930', KSN, known)).toBe('GERTEC_PPC930');
    const open = keySets(['FFFF9876', undefined], ['FFFF', 'MIURA_M020']);
    expect(decideKeyProfile(undefined, 'GERTEC_PPC930', KSN, open)).toBe('GERTEC_PPC930');
  });

  it.each([
    ['another type is sent', 'MIURA_M020', keySets()],
    ['an unknown type is sent', 'OTHER', keySets()],
    ['the key set belongs to another type', undefined, keySets(['FFFF98', 'MAGTEK_DYNAFLEX'])],
    [
      'the key set belongs to another type than device and message say',
      'GERTEC_PPC930',
      keySets(['FF', 'X']),
    ],
  ])('is none where %s', (_what, sent, known) => {
    expect(decideKeyProfile(sent, 'GERTEC_PPC930', KSN, known)).toBeUndefined();
  });
});
