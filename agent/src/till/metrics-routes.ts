import { isFromThisMachine } from '@tillbridge/platform/net/own-machine.js';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { STORE } from '../access/rights.js';
import type { Credentials } from '../access/token.js';
import { streams } from './answers.js';
import { TillError } from './till-error.js';

const SCHEMA = {
  tags: ['operation'],
  summary: 'Prometheus numbers: to this machine without a token.',
  response: streams('text/plain', 'Text format.'),
} as const;

/** Shows the agent's numbers at `/metrics`: to this machine without more, to everybody else with the store's token. */
export function metricsRoutes(
  server: FastifyInstance,
  metrics: Registry,
  check: (authorization: string | undefined) => Credentials,
): void {
  server.get('/metrics', { schema: SCHEMA }, async (request, reply) => {
    const allowed = isFromThisMachine(request.raw) || check(request.headers.authorization) === STORE;
    if (!allowed) throw new TillError('not-authenticated', 'send Authorization: Bearer TOKEN');
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
