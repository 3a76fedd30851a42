import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { rowsOf } from '../../kernel/api/check/check-request.js';
import { samplesOfFormat, samplesOfName } from '../../kernel/api/check/samples.test.support.js';
import { everyRate } from '../../kernel/http/throttle/testing/every-rate.js';
import { overTime } from '../payments/harness-clock.test.support.js';
import { ENTITY } from '../payments/payment-harness.test.support.js';

/** Bodies that are sent; `FUZZ_BODIES=100000` for the long run. */
const BODIES = Number(process.env.FUZZ_BODIES ?? 1_000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
/** Requests on their way at the same time. */
const WORKERS = 8;
const UNLIMITED = { perSecond: 1, burst: 10_000_000 };

const ROWS = rowsOf('payment');
const NAMES = ROWS.flatMap((row) => {
  const { valid, invalid } = samplesOfName(row);
  return [...valid, ...invalid];
});
const VALUES = ROWS.flatMap(({ format }) => {
  const { valid, invalid } = samplesOfFormat(format);
  return [...valid.slice(0, 3), ...invalid.slice(0, 3)];
}).filter((value) => value.length < 300);

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  fc.constantFrom(
    '__proto__',
    'constructor[prototype]',
    'customParameters[__proto__]',
    'cart.items[0].toString',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...VALUES) },
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const pair = fc
  .tuple(name, value, fc.boolean())
  .map(([key, text, raw]) =>
    raw ? `${key}=${text}` : `${encodeURIComponent(key)}=${encodeURIComponent(text)}`,
  );
/** Names and values that each row takes, but for those that a card payment has already. */
const SOUND = ROWS.filter(({ name }) => !(name in CARD) && name !== 'entityId').flatMap((row) =>
  samplesOfName(row).valid.map((key) => ({ key, values: samplesOfFormat(row.format).valid })),
);
const soundPair = fc
  .constantFrom(...SOUND)
  .chain(({ key, values }) => fc.constantFrom(...values).map((text) => new URLSearchParams({ [key]: text })));
const payment = new URLSearchParams({ entityId: ENTITY, ...CARD }).toString();
const types = fc.constantFrom('PA', 'DB', 'CD', 'PA.CP', 'CP', 'RV', 'RF', 'RB', 'RC');
const whole = types.map((paymentType) =>
  new URLSearchParams({ entityId: ENTITY, ...CARD, paymentType }).toString(),
);
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(whole, fc.array(soundPair, { maxLength: 3 }))
      .map(([one, more]) => [one, ...more].join('&')),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(whole, fc.array(pair, { maxLength: 8 }))
      .map(([one, more]) => [one, ...more].join('&')),
  },
  { weight: 2, arbitrary: fc.array(pair, { maxLength: 12 }).map((pairs) => pairs.join('&')) },
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
);

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness(undefined, {
    rates: everyRate(UNLIMITED),
  });
});
afterAll(() => harness.dispose());

it(
  'answers whatever comes with an envelope and never with a fault of ours',
  async () => {
    const bodies = fc.sample(body, { numRuns: BODIES, seed: SEED }).values();
    const wrong: string[] = [];
    const { id } = (await harness.send('POST', '/v1/payments', { body: payment })).body;
    const paths = ['/v1/payments', `/v1/payments/${id}`, `/v1/payments/${'0'.repeat(32)}`];
    let sentSoFar = 0;
    let decided = 0;
    const executor = async (): Promise<void> => {
      for (const sent of bodies) {
        sentSoFar += 1;
        const path = paths[sentSoFar % paths.length] ?? '';
        const answered = overTime(harness.clock, harness.send('POST', path, { body: sent }));
        const { status, body: answer } = await answered;
        if (answer?.id !== undefined) decided += 1;
        const isEnvelope = typeof answer?.result?.code === 'string' && typeof answer.ndc === 'string';
        if (status >= 500 || !isEnvelope)
          wrong.push(`${status} ${path}: ${Buffer.from(sent).toString('base64')}`);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, executor));
    expect(wrong).toEqual([]);
    // Enough of them get past the parameters, to where payments are decided.
    expect(decided).toBeGreaterThan(BODIES / 8);
    expect(JSON.stringify(Object.prototype)).toBe('{}');
  },
  60_000 + BODIES * 20,
);
