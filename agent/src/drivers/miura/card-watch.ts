import { decodeTlv, findTlv, TlvError, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { type CardStatus, decodeCardStatus } from '@tillbridge/protocol/terminals/miura/card-status.js';
import { TAGS, TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
import type { MiuraLink } from './link.js';

/** What the device told by itself. */
export type CardEvent =
  | { readonly kind: 'card'; readonly status: CardStatus; readonly nodes: readonly TlvNode[] }
  | { readonly kind: 'key'; readonly code: number }
  | { readonly kind: 'pin' };

/** Most events that wait to be looked at; older ones are dropped. */
const MAX_EVENTS = 32;

/** Reads a message of status; undefined for one that tells nothing of cards and keys. */
export function readStatusMessage(data: Uint8Array): CardEvent | undefined {
  try {
    return eventOf(decodeTlv(data).flatMap((node) => ('children' in node ? node.children : [node])));
  } catch (error) {
    // A message that cannot be read must not end a sale: what it told is asked for again, or missed as by a deaf ear.
    if (error instanceof TlvError || error instanceof TerminalFormatError) return undefined;
    throw error;
  }
}

function eventOf(nodes: readonly TlvNode[]): CardEvent | undefined {
  const status = findTlv(nodes, TAGS.cardStatus);
  if (status) return { kind: 'card', status: decodeCardStatus(status), nodes };
  const key = findTlv(nodes, TAGS.keyboardData)?.[0];
  if (key !== undefined) return { kind: 'key', code: key };
  const pin = findTlv(nodes, TAGS.pinEntryStatus) ?? findTlv(nodes, TAGS.pinDigits);
  return pin && { kind: 'pin' };
}

/** Why a wait ended without what it waited for: its time was over, the till stopped it, the port closed. */
export type WaitEnd = 'timeout' | 'stopped' | 'gone';

/** Keeps what the device tells by itself until somebody waits for it. */
export class CardWatch {
  private readonly clock: Clock;
  private readonly stops: readonly (() => void)[];
  private events: CardEvent[] = [];
  private waiter: (() => void) | undefined;
  /** Told of each event as it comes, beside whoever waits for it. */
  onArrival: ((event: CardEvent) => void) | undefined;
  private stopped = false;
  private gone = false;

  constructor(link: MiuraLink, clock: Clock, onPin: () => void) {
    this.clock = clock;
    this.stops = [
      link.onUnsolicited((data) => {
        const event = readStatusMessage(data);
        if (event?.kind === 'pin') onPin();
        else if (event) this.push(event);
      }),
      link.onEnd(() => {
        this.gone = true;
        this.waiter?.();
      }),
    ];
  }

  /** Ends a wait that runs, and every further one, as stopped. */
  interrupt(): void {
    this.stopped = true;
    this.waiter?.();
  }

  /** Ends the watch. */
  close(): void {
    for (const stop of this.stops) stop();
    this.interrupt();
  }

  /** Forgets what was told so far but what `keep` takes. */
  forget(keep: (event: CardEvent) => unknown): void {
    this.events = this.events.filter((event) => keep(event) !== undefined);
  }

  /** The first event that `pick` takes, of those that came and those that come; what it passes over is gone. */
  async next<T>(pick: (event: CardEvent) => T | undefined, timeoutMs: number): Promise<T | WaitEnd> {
    let late = false;
    const timer = this.clock.setTimer(timeoutMs, () => {
      late = true;
      this.waiter?.();
    });
    try {
      for (;;) {
        for (let event = this.events.shift(); event; event = this.events.shift()) {
          const taken = pick(event);
          if (taken !== undefined) return taken;
        }
        if (this.stopped) return 'stopped';
        if (this.gone) return 'gone';
        if (late) return 'timeout';
        await new Promise<void>((resolve) => {
          this.waiter = resolve;
        });
      }
    } finally {
      this.waiter = undefined;
      timer.cancel();
    }
  }

  /** Whether an event that `pick` takes has come and waits to be looked at. */
  has(pick: (event: CardEvent) => unknown): boolean {
    return this.events.some((event) => pick(event) !== undefined);
  }

  private push(event: CardEvent): void {
    this.events.push(event);
    this.onArrival?.(event);
    if (this.events.length > MAX_EVENTS) this.events.shift();
    this.waiter?.();
  }
}

/** Whether the nodes belong to a transaction's answer of that template; its objects. */
export function templateOf(
  nodes: readonly TlvNode[],
): { readonly tag: string; readonly objects: readonly TlvNode[] } | undefined {
  const known: readonly string[] = Object.values(TEMPLATES);
  for (const node of nodes) {
    if (known.includes(node.tag) && 'children' in node) return { tag: node.tag, objects: node.children };
  }
  return undefined;
}
