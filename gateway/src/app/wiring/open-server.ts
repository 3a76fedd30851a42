import type { FastifyInstance } from 'fastify';
import { meteredThrottle } from '../../kernel/http/throttle/metered-throttle.js';
import { SHARE_INTERVAL_MS, SharedThrottle } from '../../kernel/http/throttle/shared-throttle.js';
import { LocalThrottle } from '../../kernel/http/throttle/throttle.js';
import type { Background } from '../../kernel/workers/background.js';
import { buildServer } from '../http/server.js';
import type { Closers, Foundation } from './foundation.js';
import type { OpenKernel } from './open-kernel.js';

/** Builds the server of REST and pages; it does not listen yet. */
export function openServer(
  { config, signals, tracing, metrics, certificate, clock, random, logger }: Foundation,
  { kernel, features }: OpenKernel,
  background: Background,
  closers: Closers,
): FastifyInstance {
  const throttle = new SharedThrottle(new LocalThrottle(config.throttle, clock), signals, random);
  background.repeat({
    intervalMs: SHARE_INTERVAL_MS,
    work: async () => throttle.share(),
    fault: 'counts of requests were not sent to other nodes',
  });
  const server = buildServer({
    ...kernel,
    ...{ features, metrics },
    throttle: meteredThrottle(throttle, metrics),
    limits: config.limits,
    ...(tracing && { tracing }),
    ...(certificate && { tls: certificate.pair }),
  });
  closers.push(() => server.close());
  certificate?.follow(server.server, { clock, log: logger });
  closers.push(async () => certificate?.stop());
  return server;
}
