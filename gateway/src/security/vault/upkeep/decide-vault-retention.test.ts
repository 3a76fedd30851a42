import { AUTHORIZATION_LIFE_MS } from '@tillbridge/wire/payment/lifecycle.js';
import { describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { FIRST_LOOK_MS } from '../vault-aes-gcm.js';
import { decideVaultRetention } from './decide-vault-retention.js';

const DAY_MS = 24 * 3_600_000;
const KEEP_MS = 90 * DAY_MS;
const CREATED_MS = 1_000 * DAY_MS;

type Facts = Parameters<typeof decideVaultRetention>[0];
const payment = (more: Partial<PaymentRow> = {}): PaymentRow =>
  ({ state: 'captured', createdAtMs: CREATED_MS, lockedBy: null, ...more }) as PaymentRow;
const decide = (nowMs: number, more: Partial<Facts> = {}) =>
  decideVaultRetention({
    row: { id: 'v', createdAtMs: CREATED_MS },
    payments: [],
    isScheduled: false,
    intent: undefined,
    nowMs,
    keepMs: KEEP_MS,
    ...more,
  });
const LATE_MS = CREATED_MS + 10 * KEEP_MS;

describe('card data stays another day while', () => {
  it.each([
    ['the request that made it runs', { intent: { state: 'started' } }],
    ['a request runs on one of its payments', { payments: [payment(), payment({ lockedBy: 'i' })] }],
    [
      'a request runs, although a schedule pays with it',
      { isScheduled: true, payments: [payment({ lockedBy: 'i' })] },
    ],
  ] as const)('%s', (_what, facts) => {
    expect(decide(LATE_MS, facts as Partial<Facts>)).toEqual({ keepUntilMs: LATE_MS + DAY_MS });
  });
});

it('stays while a schedule pays with it', () => {
  expect(decide(LATE_MS, { isScheduled: true })).toEqual({ keepUntilMs: LATE_MS + KEEP_MS });
});

it('goes when the request that made it is done and no payment has it', () => {
  expect(decide(CREATED_MS, { intent: { state: 'done' } })).toBe('delete');
  expect(decide(CREATED_MS - 1, { intent: { state: 'done' } })).toEqual({ keepUntilMs: CREATED_MS });
});

it.each([
  ['captured', 90, 90],
  ['captured', 1, 1],
  ['declined', 90, FIRST_LOOK_MS / DAY_MS],
  ['declined', 1, 1],
  ['authorized', 1, AUTHORIZATION_LIFE_MS / DAY_MS],
  ['authorized', 90, 90],
] as const)('of a payment that is %s and kept for %i days stays for %i', (state, keepDays, days) => {
  const facts = { payments: [payment({ state })], keepMs: keepDays * DAY_MS };
  const keepUntilMs = CREATED_MS + days * DAY_MS;
  expect(decide(keepUntilMs - 1, facts)).toEqual({ keepUntilMs });
  expect(decide(keepUntilMs, facts)).toBe('delete');
});

it('stays for the payment that needs it longest', () => {
  const payments = [
    payment({ createdAtMs: CREATED_MS + 9 * DAY_MS }),
    payment(),
    payment({ state: 'declined', createdAtMs: CREATED_MS + 10 * DAY_MS }),
  ];
  expect(decide(CREATED_MS, { payments })).toEqual({ keepUntilMs: CREATED_MS + 9 * DAY_MS + KEEP_MS });
});
