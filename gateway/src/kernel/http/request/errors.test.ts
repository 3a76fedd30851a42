import { Writable } from 'node:stream';
import { MASKING_LOG_OPTIONS } from '@tillbridge/platform/log/log-options.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openPaymentHarness } from '../../../core/payments/payment-harness.test.support.js';
import { listAlerts } from '../../alerts/alert-list.js';
import { errorAnswers } from './errors.js';

const PAN = '4761739001010010';

it('reports a fault: its cause in the log and in an alert, under the ndc that the client has', async () => {
  const harness = await openPaymentHarness();
  const { store, clock, alerts } = harness;
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const logger = pino(MASKING_LOG_OPTIONS, sink);
  const strangers = new StrangerLog({ log: logger, clock });
  const server = fastify();
  errorAnswers(server, { clock, random: systemRandom, buildNumber: 'test', logger, strangers, alerts });
  server.get('/v1/things/:id', async () => {
    throw new Error(`cannot pay with ${PAN}`, { cause: new Error('the wheel is off') });
  });

  const answer = await server.inject('/v1/things/77');
  expect(answer.statusCode).toBe(500);
  const { ndc } = answer.json();
  const [fault] = lines.filter(({ msg }) => msg === 'unexpected fault in a request');
  expect(fault).toMatchObject({
    ndc,
    method: 'GET',
    route: '/v1/things/:id',
    err: {
      message: 'cannot pay with 476173******0010: the wheel is off',
      stack: expect.stringMatching(/errors\.test\.ts.*caused by: Error: the wheel is off.*errors\.test\.ts/s),
    },
  });
  await expect.poll(() => listAlerts(store, ['open'])).toHaveLength(1);
  const [alert] = await listAlerts(store, ['open']);
  expect(alert).toMatchObject({
    code: 'request-failed',
    subject: 'GET /v1/things/:id',
    severity: 'critical',
  });
  expect(alert?.detail).toBe(`ndc ${ndc}, Error: cannot pay with 476173******0010`);
  await server.close();
  await harness.dispose();
});
