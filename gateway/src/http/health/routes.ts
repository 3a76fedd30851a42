import type { FastifyInstance } from 'fastify';
import { type Store, StoreUnavailableError } from '../../store/store.js';

/** `/healthz`: the process runs. `/readyz`: it can do its work, its database above all. */
export function healthRoutes(server: FastifyInstance, store: Store): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await store.check();
      return { status: 'ready' };
    } catch (error) {
      const reason = error instanceof StoreUnavailableError ? error.message : 'the database cannot be used';
      return reply.code(503).send({ status: 'not ready', reason });
    }
  });
}
