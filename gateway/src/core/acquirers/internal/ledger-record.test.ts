import { expect, it } from 'vitest';
import { AcquirerUnreachableError } from '../acquirer.js';
import { ledgerRecord } from './ledger-record.js';
import type { LedgerRow } from './ledger-rows.js';

const entry = (acquirerReference: string) => ({ acquirerReference }) as LedgerRow;

it('reads entries that are requested at once with one query', async () => {
  const queries: (readonly string[])[] = [];
  const record = ledgerRecord({
    after: async () => [],
    load: async (references) => {
      queries.push(references);
      return { rows: references.filter((each) => each !== 'unknown').map(entry), tombstones: [] };
    },
  });
  const found = await Promise.all(['a', 'unknown', 'b'].map((reference) => record.entry(reference)));
  expect(found.map((each) => each?.acquirerReference)).toEqual(['a', undefined, 'b']);
  expect((await record.entry('c'))?.acquirerReference).toBe('c');
  expect(queries).toEqual([['a', 'unknown', 'b'], ['c']]);
});

it('passes a fault to every pending request, and reads again for the next', async () => {
  let isBroken = true;
  const record = ledgerRecord({
    after: async () => [],
    load: async (references) => {
      if (isBroken) throw new Error('the disk is gone');
      return { rows: references.map(entry), tombstones: [] };
    },
  });
  const entries = await Promise.allSettled([record.entry('a'), record.entry('b')]);
  for (const each of entries)
    expect(each).toMatchObject({ status: 'rejected', reason: expect.any(AcquirerUnreachableError) });
  isBroken = false;
  expect((await record.entry('a'))?.acquirerReference).toBe('a');
});
