import { expect, it } from 'vitest';
import { base32, CODE_RULES, codeAddress, codeOf, stepOfCode } from './one-time-code.js';

/** The secret of the vectors of RFC 6238, appendix B, and RFC 4226, appendix D. */
const SECRET = Buffer.from('12345678901234567890');

it.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('gives the code of RFC 6238 at %i seconds', (seconds, code) => {
  expect(codeOf(SECRET, Math.floor(seconds / 30))).toBe(code.slice(-6));
});

it('gives the codes of RFC 4226 by their counters', () => {
  const codes = [
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ];
  expect(codes.map((_, counter) => codeOf(SECRET, counter))).toEqual(codes);
});

it('takes the code of the step before and after, each once, and none further away', () => {
  const nowMs = 1_000 * CODE_RULES.stepMs;
  const at = (step: number, usedStep: number | null = null) =>
    stepOfCode(SECRET, codeOf(SECRET, step), { nowMs, usedStep });
  expect([998, 999, 1_000, 1_001, 1_002].map((step) => at(step))).toEqual([
    undefined,
    999,
    1_000,
    1_001,
    undefined,
  ]);
  expect([at(1_000, 1_000), at(999, 1_000), at(1_001, 1_000)]).toEqual([undefined, undefined, 1_001]);
});

it('takes a code with blanks, and no text that is none', () => {
  const take = (typed: string) => stepOfCode(SECRET, typed, { nowMs: 59_000, usedStep: null });
  expect([take('287 082'), take(''), take('28708'), take('287083'), take('２８７０８２')]).toEqual([
    1,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('writes the secret as authenticator apps read it', () => {
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ]);
  expect(codeAddress(SECRET, 'a&b@shop.example')).toBe(
    'otpauth://totp/tillbridge:a%26b%40shop.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=tillbridge',
  );
});
