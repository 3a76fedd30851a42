import { hostFault } from '@tillbridge/platform/http/host-check.js';
import { LATENCY_BUCKETS_SECONDS } from '@tillbridge/platform/metrics/registry.js';
import { isFromThisMachine } from '@tillbridge/platform/net/own-machine.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import type { Transport } from '../../../kernel/http/transport/redirect.js';

/** What the numbers are shown with. */
export interface MetricsDeps {
  readonly transport: Transport;
  readonly metrics?: Registry;
}

/**
 * Counts and times every request by its route, and shows all numbers at `/metrics`: to this machine without more, to everybody else with
 * a token that has the right `metrics`.
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
  server.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const operation = routeOptions.url === undefined ? 'none' : `${method} ${routeOptions.url}`;
    requests.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
  const config = {
    right: 'metrics',
    // A browser on this machine may act for a foreign page, which then has a name or an origin of its own.
    isOpenTo: ({ raw }: FastifyRequest) =>
      isFromThisMachine(raw, transport.proxies) &&
      hostFault(raw.headers, { localAddress: raw.socket.localAddress, hostNames: [] }) === undefined,
  } as const;
  server.get('/metrics', { config }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
}
