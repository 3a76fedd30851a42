import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { SIGN_IN_CODE_LIMITS, SignInCodes } from './sign-in-codes.js';

const codesAt = (clock = new VirtualClock()) => new SignInCodes(clock, systemRandom);

describe('a code that signs a till in', () => {
  it('works once, however it is typed', () => {
    const codes = codesAt();
    const code = codes.issue({ till: 'front-1' });
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect(codes.redeem(typed)).toMatchObject({ till: 'front-1' });
    expect(codes.redeem(code)).toBeUndefined();
  });

  it('is void after its time, after the next one, and where its till lost its token', async () => {
    const clock = new VirtualClock();
    const codes = codesAt(clock);
    const late = codes.issue({ till: 'front-1' });
    await clock.advance(SIGN_IN_CODE_LIMITS.lifetimeMs);
    expect(codes.redeem(late)).toBeUndefined();
    const [first, second] = [codes.issue({ till: 'front-1' }), codes.issue({ till: 'front-1' })];
    expect(codes.redeem(first)).toBeUndefined();
    codes.revoke('front-1');
    expect(codes.redeem(second)).toBeUndefined();
  });

  it('is another one for each display of a till, and void with its token as well', () => {
    const codes = codesAt();
    const till = codes.issue({ till: 'front-1' });
    const first = codes.issue({ till: 'front-1', display: '1001' });
    const second = codes.issue({ till: 'front-1', display: '1002' });
    const ofStore = codes.issue({ display: '1001' });
    expect(codes.redeem(till)).not.toHaveProperty('display');
    expect(codes.redeem(first)).toMatchObject({ till: 'front-1', display: '1001' });
    codes.revoke('front-1');
    expect(codes.redeem(second)).toBeUndefined();
    expect(codes.redeem(ofStore)).toMatchObject({ display: '1001' });
  });

  it('is held in bounded memory', () => {
    const codes = codesAt();
    const oldest = codes.issue({ till: 'till-0' });
    for (let at = 1; at <= SIGN_IN_CODE_LIMITS.maxUnused; at += 1) codes.issue({ till: `till-${at}` });
    expect(codes.redeem(oldest)).toBeUndefined();
  });
});
