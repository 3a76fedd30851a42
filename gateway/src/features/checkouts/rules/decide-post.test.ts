import { describe, expect, it } from 'vitest';
import { CHECKOUT_LIMITS } from './checkout-limits.js';
import { decidePost, endedCheckout, replacedCheckout, resultCallAtMs } from './decide-post.js';
import { decideResultCall, RESULT_CALL_LIMITS } from './decide-result-call.js';
import { isFinal } from './posted-before.js';

const MINUTE_MS = 60_000;

const row = {
  id: 'c',
  entityId: 'e',
  state: 'open',
  sealed: '',
  keyId: '',
  shopperResultUrl: null,
  attempts: 1,
  posted: 'payment',
  postedId: 'p',
  postedAtMs: 0,
  readAtMs: null,
  dueAtMs: null,
  leasedBy: null,
  claims: 0,
  calls: '[]',
  expiresAtMs: 30 * MINUTE_MS,
  keptUntilMs: 0,
  createdAtMs: 0,
  version: 1,
} as const;

describe('what is posted to a checkout', () => {
  const of = (before: Parameters<typeof decidePost>[1], attempts = 1) => decidePost({ attempts }, before, 3);

  it.each([
    ['begins where nothing was posted', undefined, 'begin'],
    ['begins after a decline', { state: 'declined' }, 'begin'],
    ['gets what was paid', { state: 'captured' }, 'answer'],
    ['gets what was authorized', { state: 'authorized' }, 'answer'],
    ['gets what was stored', { state: 'done' }, 'answer'],
    ['waits for what is on its way', { state: 'pending' }, 'busy'],
    ['ends what waits for the shopper at the issuer', { state: 'pending', wait: 'challenge' }, 'end-wait'],
    ['ends what waits for the shopper at a bank', { state: 'pending', wait: 'redirect' }, 'end-wait'],
    ['gets what a person looks at', { state: 'pending', wait: 'review' }, 'answer'],
    ['gets what waits for a mandate', { state: 'pending', wait: 'mandate' }, 'answer'],
  ] as const)('%s', (_what, before, verdict) => expect(of(before)).toBe(verdict));

  it('begins so often at most, and gets what is there all the same', () => {
    expect(of(undefined, 2)).toBe('begin');
    expect(of(undefined, 3)).toBe('spent');
    expect(of({ state: 'declined' }, 3)).toBe('spent');
    // What waits for the shopper is not ended for a post that cannot begin.
    expect(of({ state: 'pending', wait: 'challenge' }, 3)).toBe('spent');
    expect(of({ state: 'captured' }, 3)).toBe('answer');
  });
});

describe('the call to a shop', () => {
  const nowMs = 29 * MINUTE_MS;
  const { lookAgainMs, graceMs } = RESULT_CALL_LIMITS;

  it('is due at minute 29, or at once after it', () => {
    expect(resultCallAtMs(row, 5)).toBe(29 * MINUTE_MS);
    expect(resultCallAtMs(row, 29.5 * MINUTE_MS)).toBe(29.5 * MINUTE_MS);
  });

  it('is made with an outcome, and with what waits for its shopper', () => {
    expect(decideResultCall(row, { state: 'captured' }, nowMs)).toBe('call');
    expect(decideResultCall(row, { state: 'declined' }, nowMs)).toBe('call');
    expect(decideResultCall(row, { state: 'pending', wait: 'challenge' }, nowMs)).toBe('call');
  });

  it('waits for what is on its way', () => {
    const later = { dueAtMs: nowMs + lookAgainMs };
    expect(decideResultCall(row, { state: 'pending' }, nowMs)).toEqual(later);
    expect(decideResultCall(row, undefined, nowMs)).toEqual(later);
  });

  it('is not made for what was read or removed, or when it is too late', () => {
    const never = { dueAtMs: null };
    expect(decideResultCall({ ...row, readAtMs: 1 }, { state: 'captured' }, nowMs)).toEqual(never);
    expect(decideResultCall({ ...row, state: 'removed' }, { state: 'captured' }, nowMs)).toEqual(never);
    expect(decideResultCall({ ...row, posted: null }, { state: 'captured' }, nowMs)).toEqual(never);
    const late = row.expiresAtMs + graceMs;
    expect(decideResultCall(row, { state: 'captured' }, late - 1)).toBe('call');
    expect(decideResultCall(row, { state: 'captured' }, late)).toEqual(never);
  });
});

describe('a checkout', () => {
  it('that ends takes nothing any more, and does not live longer by it', () => {
    expect(endedCheckout(row, 5)).toEqual({ ...row, expiresAtMs: 5 });
    expect(endedCheckout(row, row.expiresAtMs + 1)).toEqual(row);
  });

  it('that another one replaces begins nothing any more, and keeps what has begun', () => {
    const ended = { ...row, expiresAtMs: 5, keptUntilMs: CHECKOUT_LIMITS.keptMs };
    expect(replacedCheckout(row, true, 5)).toEqual(ended);
    expect(replacedCheckout(row, false, 5)).toEqual({ ...ended, posted: null, postedId: null });
    expect(replacedCheckout({ ...row, createdAtMs: 7 }, true, 5).keptUntilMs).toBe(
      7 + CHECKOUT_LIMITS.keptMs,
    );
  });

  it.each([
    [undefined, false],
    ['declined', false],
    ['pending', false],
    ['captured', true],
    ['done', true],
  ] as const)('of whose post the state is %s is over: %s', (state, isOver) => {
    expect(isFinal(state && { state })).toBe(isOver);
  });
});
