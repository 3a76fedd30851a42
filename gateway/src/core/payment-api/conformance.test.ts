import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { rowsOf } from '../../kernel/api/check/check-request.js';
import { type ConformanceCase, conformanceCases } from '../../kernel/api/check/samples.test.support.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import { everyRate } from '../../kernel/http/throttle/testing/every-rate.js';
import { overTime } from '../payments/harness-clock.test.support.js';
import { ENTITY } from '../payments/payment-harness.test.support.js';

/** Requests on their way at the same time. */
const WORKERS = 8;
/** The clock stands still here, so that nothing flows back into a bucket. */
const UNLIMITED = { perSecond: 1, burst: 1_000_000 };

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness(undefined, {
    rates: everyRate(UNLIMITED),
  });
});
afterAll(() => harness.dispose());

/** What the generator fills in where a parameter needs another, and what stands for it here. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment: { entityId: ENTITY },
  'follow-up': { entityId: ENTITY, paymentType: 'CP' },
};

/** The case as a client of ours sends it. */
function bodyOf({ parameters, row, operation }: ConformanceCase): string {
  const own = parameters.map(([name, value]): [string, string] => [
    name,
    name === row ? value : (OWN[operation]?.[name] ?? value),
  ]);
  return new URLSearchParams(own).toString();
}

/**
 * Which types can follow is a separate question: the generator tries those of a payment. So is whether a `referenceUuid` of the
 * right format names a payment: where none matches, the specification wants the same error.
 */
const isTried = ({ operation, row, accepted }: ConformanceCase): boolean =>
  !accepted || !(row === 'referenceUuid' || (row === 'paymentType' && operation !== 'payment'));

async function inQueues<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items.values();
  const executor = async (): Promise<void> => {
    for (const item of iterator) await work(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, executor));
}

const errorsOf = ({ body }: Answer): readonly ParameterError[] => body.result.parameterErrors ?? [];
const label = ({ name, value }: ConformanceCase) => `${name}=${value.slice(0, 60)}`;

describe.each([
  ['payment', '/v1/payments'],
  ['follow-up', `/v1/payments/${'0'.repeat(32)}`],
] as const)('every row of the catalogue that a %s takes', (operation, path) => {
  const cases = [...conformanceCases(operation)].filter(isTried);
  const rows = new Map(rowsOf(operation).map((row) => [row.name, row]));

  it('is tried', () => {
    expect(new Set(cases.map(({ row }) => row))).toEqual(new Set(rows.keys()));
  });

  it('is taken to the edges of its format, and beyond them named alone', async () => {
    const wrong: string[] = [];
    await inQueues(cases, async (tried) => {
      const answer = await overTime(harness.clock, harness.send('POST', path, { body: bodyOf(tried) }));
      const errors = errorsOf(answer);
      const names = errors.map((error) => error.name);
      const expected = tried.accepted ? [] : [tried.name];
      const isNamed = names.join(',') === expected.join(',');
      const isRefused = answer.status === 400 && answer.body.result.code === '200.300.404';
      const shown = rows.get(tried.row)?.sensitive ? errors.some((error) => error.value !== null) : false;
      if (!isNamed || shown || isRefused === tried.accepted || answer.status >= 500) {
        wrong.push(`${label(tried)}: ${answer.status} ${answer.body.result.code} [${names.join(',')}]`);
      }
    });
    expect(wrong).toEqual([]);
  });
});

/** What the query by reference does not answer: the refusal names the parameter. */
const NOT_ANSWERED: readonly string[] = ['shortId', 'includeLinkedTransactions', 'date.from', 'date.to'];

describe('every row of the catalogue that a query takes', () => {
  const cases = [...conformanceCases('query')];

  it('is tried', () => {
    expect(new Set(cases.map(({ row }) => row))).toEqual(new Set(rowsOf('query').map((row) => row.name)));
  });

  it('is taken to the edges of its format, and beyond them named alone', async () => {
    const wrong: string[] = [];
    await inQueues(cases, async (tried) => {
      if (tried.accepted && NOT_ANSWERED.includes(tried.row)) return;
      const own = new Map(tried.parameters);
      if (tried.row !== 'entityId') own.set('entityId', ENTITY);
      if (!NOT_ANSWERED.includes(tried.row) && !own.has('merchantTransactionId')) {
        own.set('merchantTransactionId', 'order-0001');
      }
      const answer = await harness.get(`/v3/query?${new URLSearchParams([...own])}`);
      const names = errorsOf(answer).map((error) => error.name);
      const isNamed = names.join(',') === (tried.accepted ? '' : tried.name);
      // An entity of the right form that is not the token's is none of the parameter's faults.
      const statuses = tried.accepted ? [200, 403, 404] : [400];
      if (!isNamed || !statuses.includes(answer.status)) {
        wrong.push(`${label(tried)}: ${answer.status} ${answer.body.result.code} [${names.join(',')}]`);
      }
    });
    expect(wrong).toEqual([]);
  });
});
