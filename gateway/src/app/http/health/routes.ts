import type { FastifyInstance } from 'fastify';
import { openRestoreGap } from '../../../kernel/restored-database/restore-gap.js';
import { type Store, StoreUnavailableError } from '../../../kernel/store/store.js';

const HELD = { status: 'not ready', reason: 'the gateway waits for its operator' } as const;

/** `/healthz`: the process runs. `/readyz`: it can do its work, its database above all. */
export function healthRoutes(server: FastifyInstance, store: Store): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await store.check();
      // Whatever was there before the database was put back is refused.
      if ((await openRestoreGap(store))?.isWhole === 0) return reply.code(503).send(HELD);
      return { status: 'ready' };
    } catch (error) {
      const reason = error instanceof StoreUnavailableError ? error.message : 'the database cannot be used';
      return reply.code(503).send({ status: 'not ready', reason });
    }
  });
}
