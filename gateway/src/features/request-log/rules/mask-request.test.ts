import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../kernel/api/check/check-request.js';
import { ENDPOINTS } from '../../../kernel/api/openapi/endpoints.js';
import { type ParameterError, validateParameters } from '../../../kernel/api/validate.js';
import { loggedErrors, loggedParameters } from './mask-request.js';
import { MASK_LIMITS, maskedText } from './mask-text.js';

const ROOM = 4_096;
const logged = (...sent: readonly (readonly [string, string])[]) => loggedParameters(sent, ROOM).parameters;

/** Digits with their check digit (ISO/IEC 7812-1 annex B). */
function withLuhn(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** An account with its check digits (ISO 13616). */
function withIbanCheck(country: string, account: string): string {
  const value = [...`${account}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('');
  const check = 98n - (BigInt(value) % 97n);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

const digitsOf = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

const pan = fc
  .constantFrom<[string, number]>(
    ['4', 16],
    ['4', 13],
    ['51', 16],
    ['2720', 16],
    ['37', 15],
    ['36', 14],
    ['60', 19],
    ['56', 12],
  )
  .chain(([begin, length]) => digitsOf(length - begin.length - 1).map((rest) => withLuhn(begin + rest)));
const iban = fc
  .tuple(fc.constantFrom('DE', 'NL', 'MT'), fc.stringMatching(/^[A-Z0-9]{14,27}$/))
  .map(([country, account]) => withIbanCheck(country, account));
const token = fc.oneof(
  fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => `tb_${Buffer.from(bytes).toString('base64url')}`),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
);
/** As clients write long numbers. */
const written = (secret: string) =>
  fc.oneof(
    fc.constant(secret),
    // No client writes a token in groups.
    fc
      .constantFrom(' ', '-')
      .map((sign) => (secret.startsWith('tb_') ? secret : secret.replace(/(.{4})(?=.)/g, `$1${sign}`))),
    fc
      .tuple(fc.string({ maxLength: 400 }), fc.string({ maxLength: 60 }))
      .map(([before, after]) => `${before} ${secret} ${after}`),
    fc.constant(`card:${secret}.`),
  );
/** Names of the API, names with a letter too many, and any text. */
const API_NAMES = [
  ...new Set(
    ENDPOINTS.flatMap(({ operation, rows = [] }) =>
      [...(operation ? rowsOf(operation) : []), ...rows].map(({ name }) => name),
    ),
  ),
];
const name = fc.oneof(
  fc.constantFrom(...API_NAMES).map((each) => each.replace('[n]', '[0]').replace('[key]', '[shop]')),
  fc.constantFrom(...API_NAMES).map((each) => `${each}x`),
  fc.string({ maxLength: 40 }),
);
const squeezed = (text: string) => text.normalize('NFKC').replace(/[ -]/g, '').toUpperCase();

describe('what is kept of a request', () => {
  it.each([
    ['a card number', pan],
    ['an IBAN', iban],
    ['a token or a key', token],
  ])('has not %s, wherever it stands', (_what, secret) => {
    fc.assert(
      fc.property(
        secret.chain((each) => fc.tuple(fc.constant(each), written(each))),
        name,
        fc.boolean(),
        ([bare, value], sentAs, isSwapped) => {
          const pair = isSwapped ? ([value, sentAs] as const) : ([sentAs, value] as const);
          const { errors } = validateParameters([pair], rowsOf('payment'));
          const kept = JSON.stringify([logged(pair), loggedErrors(errors)]);
          expect(squeezed(kept)).not.toContain(squeezed(bare));
        },
      ),
      propertyRuns(500),
    );
  });

  it('has no card verification value and no PIN, under its name or one like it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'card.cvv',
          'card.cvc',
          'card.cvvv',
          'cvv',
          'CARD.CVV',
          'giftCard.pin',
          'tokenAccount.dtvc',
          'customParameters[cvv]',
          'customParameters[card_pin]',
        ),
        fc.integer({ min: 100, max: 9_999 }).map(String),
        (sentAs, value) => {
          const { errors } = validateParameters([[sentAs, `${value}x`]], rowsOf('payment'));
          expect(logged([sentAs, value])[0]?.[1]).toBeNull();
          expect(JSON.stringify(loggedErrors(errors))).not.toContain(value);
        },
      ),
      propertyRuns(200),
    );
  });

  it('has what is no secret as it was sent', () => {
    const sent = [
      ['amount', '12.34'],
      ['merchantTransactionId', 'order-2026-11-29-000017'],
      ['entityId', '0123456789abcdef0123456789abcdef'],
      ['customParameters[shop]', 'north'],
      ['customer.givenName', 'Zoë'],
      ['cart.items[3].name', 'a <b>bold</b> shirt'],
      ['merchantInvoiceId', '8f14e45f-ceea-467f-9d0b-2b5f1f3b1c11'],
    ] as const;
    expect(logged(...sent)).toEqual(sent);
  });

  it('names unknown parameters without their values, and hides what is no name', () => {
    expect(
      logged(['card.nubmer', '4200000000000000'], ['4200000000000000', ''], ['x'.repeat(200), 'y']),
    ).toEqual([
      ['card.nubmer', null],
      ['***', null],
      ['***', null],
    ]);
  });

  it('has no control characters, and no direction marks', () => {
    const [kept] = logged(['customer.givenName', 'a\u0000b\u001b[31mc\u202ed']);
    expect(kept).toEqual(['customer.givenName', 'a\ufffdb\ufffd[31mc\ufffdd']);
  });

  it('has room for so much and no more, and counts what is left out', () => {
    const large = 'x'.repeat(1_000_000);
    const many = Array.from(
      { length: 20_000 },
      (_, at) => [`cart.items[${at % 1_000}].name`, large] as const,
    );
    const startMs = performance.now();
    const { parameters, leftOut } = loggedParameters(many, ROOM);
    expect(performance.now() - startMs).toBeLessThan(200);
    expect(Buffer.byteLength(JSON.stringify(parameters))).toBeLessThanOrEqual(ROOM + parameters.length * 8);
    expect(parameters.length + leftOut).toBe(20_000);
    expect(parameters[0]?.[1]).toHaveLength(MASK_LIMITS.kept + 1);
  });

  it.each([
    '1'.repeat(1_000_000),
    'DE12'.repeat(250_000),
    'a1'.repeat(500_000),
    '4 '.repeat(500_000),
    'tb_'.repeat(300_000),
  ])('is quick with a hostile text %#', (text) => {
    const startMs = performance.now();
    expect(maskedText(text).length).toBeLessThanOrEqual(MASK_LIMITS.kept + 1);
    expect(performance.now() - startMs).toBeLessThan(50);
  });

  it('keeps the meaning of an error', () => {
    const errors: readonly ParameterError[] = [
      { name: 'amount', value: '12.345', message: 'must have two decimals; did you mean 12.35?' },
    ];
    expect(loggedErrors(errors)).toEqual(errors);
  });
});
