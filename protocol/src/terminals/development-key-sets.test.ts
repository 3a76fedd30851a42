import { expect, it } from 'vitest';
import { DEVELOPMENT_KEY_SETS, developmentKeySet } from './development-key-sets.js';

it('gives each device type a key set of its own, in the one that all development devices share', () => {
  const sets = [...DEVELOPMENT_KEY_SETS.values(), developmentKeySet('any other')];
  expect(new Set(sets).size).toBe(sets.length);
  for (const set of sets) expect(set).toMatch(/^FFFF[0-9A-F]{4}$/);
});
