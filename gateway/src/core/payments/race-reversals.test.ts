import { expect, it } from 'vitest';
import { testDatabaseUrl } from '../../kernel/store/testing/postgres-server.js';
import { raceReversals } from './race-reversals.test.support.js';

/** 10,000 of them: `npm run bench -- nodes`. */
const SALES = 48;

it('charges no cardholder whose sale at one node is reversed at another one at the same moment', async () => {
  const { approvedFirst, charged, differences } = await raceReversals(await testDatabaseUrl(), SALES);
  expect(differences).toEqual([]);
  expect(charged).toBe(0);
  // Both orders were met.
  expect(approvedFirst).toBeGreaterThan(0);
  expect(approvedFirst).toBeLessThan(SALES);
});
