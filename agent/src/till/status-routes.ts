import type { FastifyInstance } from 'fastify';
import type { SaleDesk } from '../sale/desk.js';
import type { LinkDetail } from '../uplink/bridge-uplink.js';
import { queueAnswer } from './queue-answer.js';

/** Routes that show the store and its queue (interfaces, "Agent REST"). */
export function statusRoutes(server: FastifyInstance, desk: SaleDesk, link: () => LinkDetail): void {
  server.get('/v1/terminals', async () => desk.terminals());

  server.get('/v1/status', async () => {
    const status = desk.status();
    return { ...status, gateway: { ...status.gateway, ...link() } };
  });

  server.get('/v1/queue', async () => queueAnswer(desk.queue()));

  server.post('/v1/queue/flush', async () => queueAnswer(await desk.flush()));
}
