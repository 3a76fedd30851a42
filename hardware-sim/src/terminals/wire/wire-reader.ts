import type { Parse, Parsed } from '@tillbridge/wire/terminals/parsed.js';
import { DAMAGED, type WireDirection, type WireMessage } from './wire-message.js';

/** One frame and its bytes as the line had them. */
export interface WireFrame extends WireMessage {
  readonly direction: WireDirection;
  readonly bytes: Buffer;
}

/** Reads what passes over a line, both ways, as a maker's codec does. */
export interface WireReader {
  /** The frames that end in these bytes, whatever the line cut them into. */
  take(direction: WireDirection, bytes: Uint8Array): readonly WireFrame[];
}

/** A maker's framing. */
interface WireFraming<State, Event> {
  readonly initial: State;
  readonly parse: (direction: WireDirection, state: State, bytes: Uint8Array) => Parsed<State, Event>;
  /** Whether nothing of a frame has come. */
  readonly atRest: (state: State) => boolean;
  /** Bytes that a line never cuts, such as those of a report; 1 when left out. */
  readonly unitBytes?: number;
}

/** A framing that is the same both ways, and whose parser keeps what has come of a frame. */
export function plainFraming<State extends { readonly rest: Uint8Array }, Event>(
  initial: State,
  parse: Parse<State, Event>,
): WireFraming<State, Event> {
  return {
    initial,
    parse: (_, state, bytes) => parse(state, bytes),
    atRest: ({ rest }) => rest.length === 0,
  };
}

/** Most bytes that are kept of a frame that does not end. */
const MAX_OPEN_FRAME_BYTES = 128 * 1024;

/**
 * A reader by a maker's framing.
 * @param meaning the content of its parser's events; called in the order of the line
 */
export function wireReader<State, Event>(
  framing: WireFraming<State, Event>,
  meaning: (direction: WireDirection, event: Event) => WireMessage,
): WireReader {
  const sides = { in: new Side('in', framing, meaning), out: new Side('out', framing, meaning) };
  return { take: (direction, bytes) => sides[direction].take(bytes) };
}

/** One direction of a line. */
class Side<State, Event> {
  readonly #direction: WireDirection;
  readonly #framing: WireFraming<State, Event>;
  readonly #meaning: (direction: WireDirection, event: Event) => WireMessage;
  #state: State;
  #open: Buffer[] = [];
  #openBytes = 0;

  constructor(
    direction: WireDirection,
    framing: WireFraming<State, Event>,
    meaning: (direction: WireDirection, event: Event) => WireMessage,
  ) {
    this.#direction = direction;
    this.#framing = framing;
    this.#meaning = meaning;
    this.#state = framing.initial;
  }

  take(bytes: Uint8Array): WireFrame[] {
    if (bytes.length === 0) return [];
    const { unitBytes = 1 } = this.#framing;
    if (unitBytes > 1 && bytes.length > unitBytes) return this.#halves(bytes, unitBytes);
    const { state, events } = this.#framing.parse(this.#direction, this.#state, bytes);
    const isWhole = events.length === 0 || (events.length === 1 && this.#framing.atRest(state));
    // A parser does not report where a frame ended: the piece is cut until each part ends one at most.
    if (!isWhole && bytes.length > unitBytes) return this.#halves(bytes, unitBytes);
    this.#state = state;
    this.#open.push(Buffer.from(bytes));
    this.#openBytes += bytes.length;
    if (events.length > 0) return [this.#frame(events)];
    return this.#openBytes > MAX_OPEN_FRAME_BYTES ? [this.#cut(DAMAGED)] : [];
  }

  #halves(bytes: Uint8Array, unitBytes: number): WireFrame[] {
    const middle = Math.ceil(bytes.length / unitBytes / 2) * unitBytes;
    return [...this.take(bytes.subarray(0, middle)), ...this.take(bytes.subarray(middle))];
  }

  /** Several events of the same bytes come only from damage: it is reported with the frames after it. */
  #frame(events: readonly Event[]): WireFrame {
    const [first = DAMAGED, ...rest] = events.map((event) => this.#meaning(this.#direction, event));
    if (rest.length === 0) return this.#cut(first);
    return this.#cut({ kind: 'damaged', text: [first, ...rest].map(({ text }) => text).join('; ') });
  }

  #cut(message: WireMessage): WireFrame {
    const bytes = Buffer.concat(this.#open);
    this.#open = [];
    this.#openBytes = 0;
    return { ...message, direction: this.#direction, bytes };
  }
}
