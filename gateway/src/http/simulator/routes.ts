import type { FastifyInstance } from 'fastify';
import type { HttpDeps } from '../request/deps.js';

/** An addition of ours, test mode only: the INTERNAL acquirer's own record, for those who check us against it. */
export function simulatorRoutes(server: FastifyInstance, deps: HttpDeps): void {
  const { record } = deps;
  if (!record) return;
  const config = { right: 'simulator', throttle: 'reads' } as const;
  server.get('/v1/simulator/transactions', { config }, () => record.transactions());
}
