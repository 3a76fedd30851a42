import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AgentLog } from '../log/log.js';
import type { SaleService } from '../sale/service/sale-service.js';
import { streams } from './answers.js';
import { EVENT_LIMITS, EventStream } from './event-stream.js';
import { readLastEventId } from './event-text.js';
import { responseSink } from './response-sink.js';
import { TillError } from './till-error.js';

const SCHEMA = {
  tags: ['store'],
  summary: 'What happens, as server-sent events; those with an id are durable.',
  headers: {
    type: 'object',
    properties: { 'last-event-id': { type: 'string', description: 'Resume after the event with this id.' } },
  },
  response: streams('text/event-stream', 'The stream.'),
} as const;

/** `GET /v1/events`: server-sent events, resumable by `Last-Event-ID` (WHATWG HTML §9.2). */
export function eventRoutes(
  server: FastifyInstance,
  service: SaleService,
  clock: Clock,
  log: AgentLog,
): void {
  const streams = new Set<EventStream>();

  server.get('/v1/events', { schema: SCHEMA }, (request, reply) => {
    const afterId = resumePoint(request);
    if (streams.size >= EVENT_LIMITS.maxClients) {
      throw new TillError('too-many-listeners', `${EVENT_LIMITS.maxClients} clients listen already`);
    }
    reply.hijack();
    const failed = (error: unknown): void =>
      log.warn({ err: error }, 'event stream ended: the past cannot be read');
    const stream = new EventStream(service, responseSink(reply.raw), clock, failed, afterId);
    streams.add(stream);
    reply.raw.on('close', () => {
      streams.delete(stream);
      stream.end();
    });
  });

  server.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
}

function resumePoint(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id'];
  if (header === undefined || header === '') return undefined;
  const id = readLastEventId(String(header));
  if (id === undefined) {
    throw new TillError(
      'bad-request',
      'Last-Event-ID must be the id of an event of this stream',
      'Last-Event-ID',
    );
  }
  return id;
}
