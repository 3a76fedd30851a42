import type {
  Acquirer,
  AcquirerAnswer,
  AcquirerRequest,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, test } from 'vitest';
import { type AcquirerFaultRates, FAIR } from '../kernel/fault-rates.js';
import { SeededRandom } from '../kernel/seeded-random.js';
import { SimProcess } from '../kernel/sim-process.js';
import { Trace } from '../kernel/trace.js';
import { AcquirerLine } from './acquirer-line.js';

const PATIENCE_MS = 20_000;
const APPROVED: AcquirerAnswer = { approved: true, resultCode: '000.000.000', responseCode: '00' };
const REQUEST: AcquirerRequest = {
  kind: 'authorization',
  acquirerReference: 'a'.repeat(32),
  amount: { minor: 900, currency: 'EUR' },
};

/** A line to a host that answers with `answer`; which answers reached the gateway and which were lost. */
function line(faultRates: Partial<AcquirerFaultRates>, answer: AcquirerAnswer, seed = 'line') {
  const clock = new VirtualClock();
  const trace = new Trace(clock);
  const process = new SimProcess('gateway', clock, { offsetMs: 0 }, trace);
  const lost: AcquirerAnswer[] = [];
  const host: Acquirer = {
    name: 'host',
    send: async () => answer,
    status: async () => ({ state: 'answered', answer }),
  };
  const acquirer = new AcquirerLine({
    name: 'host',
    process,
    clock,
    random: new SeededRandom(seed),
    trace,
    faultRates: () => ({ ...FAIR.acquirer, ...faultRates }),
    host: () => host,
    answerLost: (_request, unreceived) => lost.push(unreceived),
  });
  const send = async (request = REQUEST): Promise<'answered' | 'silent' | undefined> => {
    let end: 'answered' | 'silent' | undefined;
    acquirer.send(request).then(
      () => {
        end = 'answered';
      },
      () => {
        end = 'silent';
      },
    );
    await clock.advance(5 * PATIENCE_MS);
    return end;
  };
  return { send, lost, process, clock };
}

test('reports no lost answer where the gateway receives it, or where the request never arrived', async () => {
  const fair = line({}, APPROVED);
  expect([await fair.send(), fair.lost]).toEqual(['answered', []]);
  const dropped = line({ dropRequest: 1 }, APPROVED);
  expect([await dropped.send(), dropped.lost]).toEqual(['silent', []]);
});

test.each([
  ['that was dropped', { dropAnswer: 1 }],
  ['to a request that came late', { late: 1 }],
])('reports a lost answer %s', async (_how, faultRates) => {
  const { send, lost } = line(faultRates, APPROVED);
  expect([await send(), lost]).toEqual(['silent', [APPROVED]]);
});

test('reports an answer as lost that arrives after the gateway ended', async () => {
  const { send, lost, process, clock } = line({ fastestMs: 100, slowestMs: 100 }, APPROVED);
  clock.setTimer(150, () => process.die('kill'));
  expect([await send(), lost]).toEqual([undefined, [APPROVED]]);
});

test('loses rare answers more often, and none in fair faultRates', async () => {
  const partial = { ...APPROVED, approvedMinor: 500 };
  const answered = async (
    faultRates: Partial<AcquirerFaultRates>,
    answer: AcquirerAnswer,
  ): Promise<number> => {
    const ends = Array.from({ length: 60 }, (_, seed) => line(faultRates, answer, `line ${seed}`).send());
    return (await Promise.all(ends)).filter((end) => end === 'answered').length;
  };
  const seldom = { dropAnswer: 1e-9 };
  expect(await answered({}, partial)).toBe(60);
  expect(await answered(seldom, APPROVED)).toBe(60);
  expect(await answered(seldom, partial)).toBeLessThan(58);
});
