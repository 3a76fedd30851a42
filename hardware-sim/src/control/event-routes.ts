import { type EventSink, responseSink } from '@tillbridge/platform/net/event-sink.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import type { SimulatorEvents } from '../simulator/simulator-events.js';

/** Limits of the event streams, by name. */
export const EVENT_LIMITS = {
  maxClients: 32,
  /** Bytes that may wait for one slow client; beyond, it is cut, connects again and requests the state anew. */
  maxBufferedBytes: 1024 * 1024,
  heartbeatMs: 15_000,
} as const;

/** The first words of a stream: how long a client waits before it connects again. */
const RETRY_TEXT = 'retry: 1000\n\n';
const HEARTBEAT_TEXT = ': heartbeat\n\n';

/**
 * `GET /events`: what happens, as server-sent events (WHATWG HTML §9.2). They have no ids: a client that connects again reads the state
 * anew, at the event `hello`. Frames and exchanges have numbers by which it finds what it missed.
 */
export function eventRoutes(app: FastifyInstance, events: SimulatorEvents, startedAt: string): void {
  const clients = new Set<EventSink>();
  app.get('/events', (_request, reply) => {
    if (clients.size >= EVENT_LIMITS.maxClients)
      throw new ControlError('not-now', `${EVENT_LIMITS.maxClients} clients listen already`);
    reply.hijack();
    const sink = responseSink(reply.raw);
    const end = (): void => {
      if (!clients.delete(sink)) return;
      stop();
      heartbeat.cancel();
      sink.end();
    };
    const write = (text: string): void => {
      if (sink.bufferedBytes > EVENT_LIMITS.maxBufferedBytes) end();
      else sink.write(text);
    };
    const beat = () =>
      systemClock.setTimer(EVENT_LIMITS.heartbeatMs, () => {
        write(HEARTBEAT_TEXT);
        if (clients.has(sink)) heartbeat = beat();
      });
    clients.add(sink);
    const stop = events.listen((type, data) => write(eventText(type, data)));
    let heartbeat = beat();
    write(RETRY_TEXT + eventText('hello', { startedAt }));
    reply.raw.on('close', end);
  });
  app.addHook('preClose', async () => {
    for (const sink of [...clients]) sink.end();
  });
}

function eventText(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
