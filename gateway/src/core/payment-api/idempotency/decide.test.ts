import { describe, expect, it } from 'vitest';
import type { IdempotencyRow } from '../../../kernel/store/rows.js';
import { decideKeyUse, IDEMPOTENCY_RETENTION_MS } from './decide.js';

const open: IdempotencyRow = {
  entityId: 'e',
  idempotencyKey: 'k',
  fingerprint: 'same',
  paymentId: 'p',
  httpStatus: null,
  answer: null,
  owner: null,
  createdAtMs: 1_000,
  version: 1,
};
const answered = { ...open, httpStatus: 400, answer: '{}' };
const at = (nowMs: number, fingerprint = 'same') => ({ fingerprint, nowMs });
const end = open.createdAtMs + IDEMPOTENCY_RETENTION_MS;

describe('decideKeyUse', () => {
  it.each([
    ['no row', undefined, at(2_000), false, 'new'],
    ['the stored answer', answered, at(2_000), true, 'answered'],
    ['the stored answer to the last moment', answered, at(end - 1), true, 'answered'],
    ['what has run out', answered, at(end, 'other'), true, 'renewed'],
    ['an answer without its status', { ...answered, httpStatus: null }, at(2_000), true, 'resumed'],
    ['a status without its answer', { ...answered, answer: null }, at(2_000), true, 'resumed'],
    ['a request that is open', open, at(2_000), true, 'resumed'],
    ['a request that began nothing', open, at(2_000), false, 'resumed'],
    ['other parameters after an answer', answered, at(2_000, 'other'), true, 'other-request'],
    [
      'other parameters after an answer without a payment',
      answered,
      at(2_000, 'other'),
      false,
      'other-request',
    ],
    ['other parameters during an open payment', open, at(2_000, 'other'), true, 'other-request'],
    ['other parameters after a request that began nothing', open, at(2_000, 'other'), false, 'renewed'],
  ] as const)('knows %s', (_, row, request, begun, is) => {
    expect(decideKeyUse(row, request, begun).is).toBe(is);
  });
});
