import { expect, it } from 'vitest';
import {
  DEVELOPMENT_AES_KEY_SETS,
  DEVELOPMENT_AES_PIN_KEY_SET,
  DEVELOPMENT_KEY_SETS,
  developmentKeySet,
} from './development-key-sets.js';

it('gives each device type its own key set, in the one that all development devices share', () => {
  const tdes = [...DEVELOPMENT_KEY_SETS.values(), developmentKeySet('any other')];
  const sets = [...tdes, ...DEVELOPMENT_AES_KEY_SETS.values(), DEVELOPMENT_AES_PIN_KEY_SET];
  expect(new Set(sets).size).toBe(sets.length);
  for (const set of sets) expect(set).toMatch(/^FFFF[0-9A-F]{4}$/);
});
