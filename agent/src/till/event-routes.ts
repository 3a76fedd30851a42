import type { OutgoingHttpHeaders } from 'node:http';
import { responseSink } from '@tillbridge/platform/net/event-sink.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, maySee } from '../access/rights.js';
import { STREAM_TOKEN_LIMITS, type StreamTokens } from '../access/stream-tokens.js';
import type { TillRegistry } from '../access/till-registry.js';
import type { CustomerDisplays } from '../display/customer-displays.js';
import type { AgentLog } from '../log/log.js';
import type { SaleService, TillEvent } from '../sale/service/sale-service.js';
import { responses, STREAM_TOKEN_ANSWER, streams } from './answers.js';
import { NO_BODY } from './bodies.js';
import { EVENT_LIMITS, EventStream } from './event-stream.js';
import { readLastEventId } from './event-text.js';
import { EVENTS_PATH } from './sign-in.js';
import type { LinkView } from './status-routes.js';
import { TillError } from './till-error.js';

/** What the event streams stand on. */
interface EventDeps {
  readonly service: SaleService;
  readonly streamTokens: StreamTokens;
  readonly link: Pick<LinkView, 'watch'>;
  readonly displays: CustomerDisplays;
  /** Absent: there are no tills, only the store. */
  readonly tills?: TillRegistry;
  readonly clock: Clock;
  readonly log: AgentLog;
}

const QUERY = Type.Object({
  token: Type.Optional(
    Type.String({ description: 'Of `POST /v1/events/token`, for browsers; instead of the header.' }),
  ),
  lastEventId: Type.Optional(Type.String({ description: 'As `Last-Event-ID`, for browsers.' })),
});

const SCHEMA = {
  tags: ['events'],
  summary: 'What happens, as server-sent events; those with an id are durable.',
  headers: {
    type: 'object',
    properties: { 'last-event-id': { type: 'string', description: 'Resume after the event with this id.' } },
  },
  querystring: QUERY,
  response: streams('text/event-stream', 'The stream.'),
} as const;

/** Whether a caller receives an event: sales of others are only for staff. */
function receives(caller: Caller, event: TillEvent): boolean {
  if (event.type === 'progress') return maySee(caller, event);
  return !('sale' in event) || maySee(caller, event.sale);
}

/** `GET /v1/events`: server-sent events, resumable by `Last-Event-ID` (WHATWG HTML §9.2); and the token that opens one in a browser. */
export function eventRoutes(
  server: FastifyInstance,
  { service, streamTokens, link, displays, tills, clock, log }: EventDeps,
): void {
  const streams = new Map<EventStream, Caller>();

  server.get<{ Querystring: Static<typeof QUERY> }>(EVENTS_PATH, { schema: SCHEMA }, (request, reply) => {
    const afterId = resumePoint(request);
    if (streams.size >= EVENT_LIMITS.maxClients) {
      throw new TillError('too-many-listeners', `${EVENT_LIMITS.maxClients} clients listen already`);
    }
    const { caller, isSignedIn } = request;
    reply.hijack();
    const failed = (error: unknown): void =>
      log.warn({ err: error }, 'event stream ended: the past cannot be read');
    const stream = new EventStream({
      service,
      sink: responseSink(reply.raw, reply.getHeaders() as OutgoingHttpHeaders),
      clock,
      failed,
      afterId,
      receives: (event) => {
        if (isSignedIn?.() === false) return undefined;
        if (caller.display !== undefined) return displays.eventFor(caller.display, event);
        return receives(caller, event) ? event : undefined;
      },
    });
    streams.set(stream, caller);
    const unwatch = link.watch?.();
    reply.raw.on('close', () => {
      unwatch?.();
      streams.delete(stream);
      stream.end();
    });
  });

  server.post(
    `${EVENTS_PATH}/token`,
    {
      schema: {
        tags: ['events'],
        summary: 'A token that opens one event stream in a browser, soon.',
        body: NO_BODY,
        response: responses(STREAM_TOKEN_ANSWER),
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return {
        token: streamTokens.issue(request),
        expiresInSeconds: STREAM_TOKEN_LIMITS.lifetimeMs / 1_000,
      };
    },
  );

  const stopListening = tills?.onRevoked((till) => {
    streamTokens.revoke(till);
    for (const [stream, caller] of streams) if (caller.till === till) stream.end();
  });
  server.addHook('preClose', async () => {
    stopListening?.();
    for (const stream of streams.keys()) stream.end();
  });
}

function resumePoint({ headers, query }: FastifyRequest): number | undefined {
  const { lastEventId } = query as Static<typeof QUERY>;
  const header = headers['last-event-id'] ?? lastEventId;
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
