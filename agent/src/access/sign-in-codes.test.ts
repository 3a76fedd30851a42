import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { SIGN_IN_CODE_LIMITS, SignInCodes } from './sign-in-codes.js';

const codesAt = (clock = new VirtualClock()) => new SignInCodes(clock, systemRandom);

describe('a code that signs a till in', () => {
  it('works once, however it is typed', () => {
    const codes = codesAt();
    const code = codes.issue('front-1');
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect(codes.redeem(typed)).toBe('front-1');
    expect(codes.redeem(code)).toBeUndefined();
  });

  it('is void after its time, after the next one, and where its till lost its token', async () => {
    const clock = new VirtualClock();
    const codes = codesAt(clock);
    const late = codes.issue('front-1');
    await clock.advance(SIGN_IN_CODE_LIMITS.lifetimeMs);
    expect(codes.redeem(late)).toBeUndefined();
    const [first, second] = [codes.issue('front-1'), codes.issue('front-1')];
    expect(codes.redeem(first)).toBeUndefined();
    codes.revoke('front-1');
    expect(codes.redeem(second)).toBeUndefined();
  });

  it('is held in bounded memory', () => {
    const codes = codesAt();
    const oldest = codes.issue('till-0');
    for (let at = 1; at <= SIGN_IN_CODE_LIMITS.maxUnused; at += 1) codes.issue(`till-${at}`);
    expect(codes.redeem(oldest)).toBeUndefined();
  });
});
