import { expect, it } from 'vitest';
import type { AccountFailuresRow } from '../../kernel/store/rows.js';
import { ACCOUNT_FAILURE_LIMITS, countFailure, isLocked } from './account-failures.js';

const SUBJECT = { kind: 'device', subject: 'S1' } as const;
const { device: limit, windowMs } = ACCOUNT_FAILURE_LIMITS;
const row = (failures: number): AccountFailuresRow => ({ ...SUBJECT, failures, sinceMs: 100, version: 3 });

it('counts from the first failure', () => {
  expect(countFailure(SUBJECT, undefined, 100)).toEqual({
    change: { op: 'insert', table: 'accountFailures', row: { ...row(1), version: 1 } },
    locks: false,
  });
  expect(countFailure(SUBJECT, row(1), 200).change).toMatchObject({ op: 'update', row: row(2) });
});

it('locks at the limit, once, for the window of the first failure', () => {
  expect(countFailure(SUBJECT, row(limit - 2), 200).locks).toBe(false);
  expect(countFailure(SUBJECT, row(limit - 1), 200).locks).toBe(true);
  expect(countFailure(SUBJECT, row(limit), 200).locks).toBe(false);
  expect(isLocked(undefined, 200)).toBe(false);
  expect(isLocked(row(limit), 99 + windowMs)).toBe(true);
  expect(isLocked(row(limit), 100 + windowMs)).toBe(false);
});

it('begins anew after the window', () => {
  const { change } = countFailure(SUBJECT, row(limit), 100 + windowMs);
  expect(change).toMatchObject({ op: 'update', row: { failures: 1, sinceMs: 100 + windowMs, version: 3 } });
});
