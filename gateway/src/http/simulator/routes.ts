import type { FastifyInstance } from 'fastify';
import { authenticate } from '../authenticate.js';
import type { HttpDeps } from '../deps.js';

/** An addition of ours, test mode only: the INTERNAL acquirer's own record, for those who check us against it. */
export function simulatorRoutes(server: FastifyInstance, deps: HttpDeps): void {
  const { record } = deps;
  if (!record) return;
  server.get('/v1/simulator/transactions', async (request) => {
    await authenticate(deps, request.headers.authorization, 'simulator:read');
    return record.transactions();
  });
}
