/** One event of a stream. */
export interface StreamEvent {
  readonly type: string;
  /** The id to resume behind; empty for an event that has none. */
  readonly id: string;
  /** The data, read as JSON. */
  readonly data: unknown;
}

/** Whether events arrive: `connecting` also while the client waits before it tries again. */
export type StreamState = 'connecting' | 'open' | 'ended';

/** The part of `EventSource` that is used. */
export interface EventSourceLike {
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

/** What an event stream is made of. */
interface EventClientDeps {
  /**
   * The address of the next connection. A token in it opens one stream, so this is called for each connection. `lastEventId`: where to resume, if
   * there was an event with an id. Undefined ends the stream, as after a sign-out.
   */
  readonly address: (lastEventId: string | undefined) => Promise<string | undefined>;
  /** The types of events that are listened to. */
  readonly types: readonly string[];
  readonly onEvent: (event: StreamEvent) => void;
  readonly onState: (state: StreamState) => void;
  /** Opens a connection; default: `EventSource`. */
  readonly open?: (address: string) => EventSourceLike;
  /** Calls back later; default: `setTimeout`. */
  readonly later?: (delayMs: number, callback: () => void) => void;
}

/** How long the client waits before each new connection, in milliseconds; the last one repeats. */
export const RECONNECT_DELAYS_MS: readonly number[] = [250, 500, 1_000, 2_000];

/**
 * Listens to server-sent events and connects again whenever the stream breaks, behind the last event that had an id. `EventSource` would
 * repeat the same address, whose token is used up.
 */
export class EventClient {
  readonly #deps: EventClientDeps;
  #source: EventSourceLike | undefined;
  #lastEventId: string | undefined;
  #failures = 0;
  #ended = false;

  constructor(deps: EventClientDeps) {
    this.#deps = deps;
    void this.#connect();
  }

  /** Ends the stream for ever; idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#source?.close();
    this.#source = undefined;
    this.#deps.onState('ended');
  }

  /** Connects anew where the stream counts as open: one that the network has cut without a word stays silent for ever. */
  renew(): void {
    if (!this.#source) return;
    this.#source.close();
    this.#source = undefined;
    void this.#connect();
  }

  async #connect(): Promise<void> {
    if (this.#ended) return;
    this.#deps.onState('connecting');
    let address: string | undefined;
    try {
      address = await this.#deps.address(this.#lastEventId);
    } catch {
      this.#connectLater();
      return;
    }
    if (this.#ended) return;
    if (address === undefined) this.end();
    else this.#listen(address);
  }

  #listen(address: string): void {
    const source = (this.#deps.open ?? openSource)(address);
    this.#source = source;
    source.onopen = () => {
      this.#failures = 0;
      this.#deps.onState('open');
    };
    source.onerror = () => {
      if (this.#source !== source) return;
      source.close();
      this.#source = undefined;
      this.#connectLater();
    };
    for (const type of this.#deps.types) source.addEventListener(type, (event) => this.#take(type, event));
  }

  #take(type: string, { data, lastEventId: id }: MessageEvent<string>): void {
    if (this.#ended) return;
    if (id !== '') this.#lastEventId = id;
    this.#deps.onEvent({ type, id, data: JSON.parse(data) });
  }

  #connectLater(): void {
    if (this.#ended) return;
    this.#deps.onState('connecting');
    const delayMs = RECONNECT_DELAYS_MS[Math.min(this.#failures, RECONNECT_DELAYS_MS.length - 1)] ?? 0;
    this.#failures += 1;
    const later = this.#deps.later ?? ((ms, callback) => setTimeout(callback, ms));
    later(delayMs, () => void this.#connect());
  }
}

function openSource(address: string): EventSourceLike {
  return new EventSource(address) as EventSourceLike;
}
