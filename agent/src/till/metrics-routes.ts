import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { TillError } from './till-error.js';
import type { Credentials } from './token.js';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** What a proxy adds to a request that it passes on. */
const PASSED_ON = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'via',
];

/** Shows the agent's numbers at `/metrics`: to this machine without more, to everybody else with the tills' token. */
export function metricsRoutes(
  server: FastifyInstance,
  metrics: Registry,
  check: (authorization: string | undefined) => Credentials,
): void {
  server.get('/metrics', async (request, reply) => {
    const allowed = isFromThisMachine(request.raw) || check(request.headers.authorization) === 'right';
    if (!allowed) throw new TillError('not-authenticated', 'send Authorization: Bearer TOKEN');
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}

/** A proxy on the same machine passes on what began elsewhere, and gives itself away by what it adds. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '') && PASSED_ON.every((name) => headers[name] === undefined);
}
