import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { LATENCY_BUCKETS_SECONDS } from '../../metrics/registry.js';
import { authenticate } from '../authenticate.js';
import type { HttpDeps } from '../deps.js';
import type { Transport } from '../transport/redirect.js';
import { isFromThisMachine } from './own-machine.js';

/** What the numbers are shown with. */
export interface MetricsDeps extends Pick<HttpDeps, 'store' | 'tokenKey' | 'clock'> {
  readonly transport: Transport;
  readonly metrics?: Registry;
}

/**
 * Counts and times every request by its route, and shows all numbers at `/metrics`: to this machine without more, to everybody else with
 * a token that has the right `metrics:read`.
 */
export function metricsRoutes(server: FastifyInstance, deps: MetricsDeps): void {
  const { metrics, transport } = deps;
  if (!metrics) return;
  const requests = new Histogram({
    name: 'tillbridge_gateway_request_seconds',
    help: 'Requests over HTTP by operation and status, and the time to their answer',
    labelNames: ['operation', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [metrics],
  });
  server.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const operation = routeOptions.url === undefined ? 'none' : `${method} ${routeOptions.url}`;
    requests.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1_000);
  });
  server.get('/metrics', async (request, reply) => {
    if (!isFromThisMachine(request.raw, transport.proxies))
      await authenticate(deps, request.headers.authorization, 'metrics:read');
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
