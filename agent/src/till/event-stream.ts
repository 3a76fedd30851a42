import type { EventSink } from '@tillbridge/platform/net/event-sink.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { DisplayEvent } from '../display/customer-displays.js';
import type { SaleService, TillEvent } from '../sale/service/sale-service.js';
import { eventId, eventText, HEARTBEAT_TEXT, RETRY_TEXT } from './event-text.js';

/** Limits of the event streams, by name. */
export const EVENT_LIMITS = {
  maxClients: 64,
  /** Bytes that may wait for one slow client; beyond, it is cut and resumes by its last id. */
  maxBufferedBytes: 512 * 1024,
  /** Events that may arrive while a client still receives past ones. */
  maxHeldEvents: 1_000,
  replayPage: 200,
  heartbeatMs: 15_000,
} as const;

/** What an event stream works with. */
interface EventStreamDeps {
  readonly service: SaleService;
  readonly sink: EventSink;
  readonly clock: Clock;
  /** Called when past events could not be read; the stream has ended then. */
  readonly failed: (error: unknown) => void;
  /** Where to resume; undefined: from now on. */
  readonly afterId: number | undefined;
  /** What the client receives of an event; undefined: nothing. */
  readonly receives: (event: TillEvent) => TillEvent | DisplayEvent | undefined;
}

/**
 * Sends one client what happens at the service: the past after `afterId` first (when given), then the present, without a
 * gap, without a repetition and in the order of the journal. A client that cannot keep up is cut: its last id brings it
 * back.
 */
export class EventStream {
  private readonly service: SaleService;
  private readonly sink: EventSink;
  private readonly clock: Clock;
  private readonly failed: (error: unknown) => void;
  private readonly receives: EventStreamDeps['receives'];
  private readonly unsubscribe: () => void;
  private heartbeat: Timer | undefined;
  /** Present events that wait while past ones are sent. */
  private held: TillEvent[] | undefined;
  /** The newest durable event that was sent or passed over; undefined while the journal's end is unknown. */
  private lastId: number | undefined;
  private ended = false;

  constructor({ service, sink, clock, failed, afterId, receives }: EventStreamDeps) {
    this.service = service;
    this.sink = sink;
    this.clock = clock;
    this.failed = failed;
    this.receives = receives;
    this.unsubscribe = service.onEvent((event) => this.happened(event));
    sink.write(RETRY_TEXT);
    this.beat();
    const newest = newestRow(service);
    // An id that is still to come is of rows that a restore has lost.
    this.lastId =
      afterId !== undefined && newest !== undefined ? Math.min(afterId, newest) : (afterId ?? newest);
    if (afterId !== undefined) this.catchUp([]);
  }

  /** Ends the stream; idempotent. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unsubscribe();
    this.heartbeat?.cancel();
    this.sink.end();
  }

  private happened(event: TillEvent): void {
    const id = eventId(event);
    if (this.held) this.hold(event);
    else if (id === undefined || this.lastId === undefined || id <= this.lastId + 1) this.tell(event);
    // Rows committed together may be announced in another order, and not every row is an event: the journal decides.
    else this.catchUp([event]);
  }

  private hold(event: TillEvent): void {
    if (!this.held || this.held.length >= EVENT_LIMITS.maxHeldEvents) this.end();
    else this.held.push(event);
  }

  private catchUp(held: TillEvent[]): void {
    this.held = held;
    this.tellPast().then(
      () => {
        this.held = undefined;
        for (const event of held) this.tell(event);
      },
      (error: unknown) => {
        this.end();
        this.failed(error);
      },
    );
  }

  private async tellPast(): Promise<void> {
    while (!this.ended) {
      const page = await this.service.eventsAfter(this.lastId ?? 0, EVENT_LIMITS.replayPage);
      if (page.length === 0) return;
      for (const event of page) this.tell(event);
      await this.sink.drained();
    }
  }

  private tell(event: TillEvent): void {
    if (this.ended) return;
    const id = eventId(event);
    if (id !== undefined) {
      // Already sent from the history.
      if (this.lastId !== undefined && id <= this.lastId) return;
      this.lastId = id;
    }
    const received = this.receives(event);
    if (received) this.write(eventText(received));
  }

  private beat(): void {
    this.heartbeat = this.clock.setTimer(EVENT_LIMITS.heartbeatMs, () => {
      this.write(HEARTBEAT_TEXT);
      if (!this.ended) this.beat();
    });
  }

  private write(text: string): void {
    if (this.sink.bufferedBytes > EVENT_LIMITS.maxBufferedBytes) this.end();
    else this.sink.write(text);
  }
}

function newestRow(service: SaleService): number | undefined {
  const { journal } = service.status();
  return journal.state === 'ready' ? journal.row : undefined;
}
