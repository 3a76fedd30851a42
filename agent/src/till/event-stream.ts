import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import type { DeskEvent, SaleDesk } from '../sale/desk.js';
import { eventId, eventText, HEARTBEAT_TEXT, RETRY_TEXT } from './event-text.js';

/** Limits of the event streams, by name. */
export const EVENT_LIMITS = {
  maxClients: 64,
  /** Bytes that may wait for one slow client; beyond, it is cut and resumes by its last id. */
  maxBufferedBytes: 512 * 1024,
  /** Events that may arrive while a client is still being told the past. */
  maxHeldEvents: 1_000,
  replayPage: 200,
  heartbeatMs: 15_000,
} as const;

/** Where a stream is written to: the response of an HTTP request, or memory in a test. */
export interface EventSink {
  /** Writes text; `bufferedBytes` tells what then still waits. */
  write(text: string): void;
  readonly bufferedBytes: number;
  /** Resolves once what waits has been taken, or the sink has ended. */
  drained(): Promise<void>;
  /** Ends the stream; idempotent. */
  end(): void;
}

/**
 * Tells one client what happens at the desk: the past after `afterId` first (when given), then the present, without a
 * gap and without a repetition. A client that cannot keep up is cut: its last id brings it back.
 */
export class EventStream {
  private readonly desk: SaleDesk;
  private readonly sink: EventSink;
  private readonly clock: Clock;
  private readonly unsubscribe: () => void;
  private heartbeat: Timer | undefined;
  /** Present events that wait for the past to be told; undefined once it has been. */
  private held: DeskEvent[] | undefined = [];
  private lastId = 0;
  private ended = false;

  constructor(desk: SaleDesk, sink: EventSink, clock: Clock) {
    this.desk = desk;
    this.sink = sink;
    this.clock = clock;
    this.unsubscribe = desk.onEvent((event) => this.happened(event));
    sink.write(RETRY_TEXT);
    this.beat();
  }

  /** Tells the past after `afterId`, or nothing of it, and goes over to the present. */
  async run(afterId: number | undefined): Promise<void> {
    if (afterId !== undefined) await this.tellPast(afterId);
    const held = this.held ?? [];
    this.held = undefined;
    for (const event of held) this.tell(event);
  }

  /** Ends the stream; idempotent. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.unsubscribe();
    this.heartbeat?.cancel();
    this.held = undefined;
    this.sink.end();
  }

  private async tellPast(afterId: number): Promise<void> {
    this.lastId = afterId;
    while (!this.ended) {
      const page = await this.desk.eventsAfter(this.lastId, EVENT_LIMITS.replayPage);
      const before = this.lastId;
      for (const event of page) this.tell(event);
      if (this.lastId === before) return;
      await this.sink.drained();
    }
  }

  private happened(event: DeskEvent): void {
    if (!this.held) this.tell(event);
    else if (this.held.length < EVENT_LIMITS.maxHeldEvents) this.held.push(event);
    else this.end();
  }

  private tell(event: DeskEvent): void {
    if (this.ended) return;
    const id = eventId(event);
    if (id !== undefined) {
      // Told from the past already, while it was also held as present.
      if (id <= this.lastId) return;
      this.lastId = id;
    }
    this.write(eventText(event));
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
