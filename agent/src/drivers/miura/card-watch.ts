import { decodeTlv, findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { type CardStatus, decodeCardStatus } from '@tillbridge/protocol/terminals/miura/card-status.js';
import { TAGS, TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
import { EventQueue } from '../core/event-queue.js';
import { attempt, failed, isFailed } from '../core/result.js';
import type { MiuraLink } from './link.js';

/** The device gave no status of its slot. */
export const SLOT_SILENT = failed('terminal-silent', 'CARD STATUS: the terminal tells nothing of its slot');

/** A report on the card slot and the magstripe reader. */
export interface CardTold {
  readonly kind: 'card';
  readonly status: CardStatus;
  readonly nodes: readonly TlvNode[];
}

/** An unsolicited report of the device. */
export type CardEvent = CardTold | { readonly kind: 'key'; readonly code: number } | { readonly kind: 'pin' };

/**
 * Reads a status message; undefined for one without cards and keys. One that cannot be read must not end
 * a sale: the driver asks again or does without it.
 */
export function readStatusMessage(data: Uint8Array): CardEvent | undefined {
  const event = attempt('status', () =>
    eventOf(decodeTlv(data).flatMap((node) => ('children' in node ? node.children : [node]))),
  );
  return isFailed(event) ? undefined : event;
}

function eventOf(nodes: readonly TlvNode[]): CardEvent | undefined {
  const status = findTlv(nodes, TAGS.cardStatus);
  if (status) return { kind: 'card', status: decodeCardStatus(status), nodes };
  const key = findTlv(nodes, TAGS.keyboardData)?.[0];
  if (key !== undefined) return { kind: 'key', code: key };
  const pin = findTlv(nodes, TAGS.pinEntryStatus) ?? findTlv(nodes, TAGS.pinDigits);
  return pin && { kind: 'pin' };
}

/** Queue of the device's unsolicited reports while a sale runs. */
export class CardWatch extends EventQueue<CardEvent> {
  private readonly stop: () => void;

  constructor(link: MiuraLink, clock: Clock, onPin: () => void) {
    super(clock);
    this.stop = link.listen({
      onMessage: ({ unsolicited, data }) => {
        const event = unsolicited ? readStatusMessage(data) : undefined;
        if (event?.kind === 'pin') onPin();
        else if (event) this.push(event);
      },
      onEnd: () => this.end(),
    });
  }

  /** Ends the watch. */
  close(): void {
    this.stop();
    this.interrupt();
  }
}

/** The template of a transaction's answer, and its objects. */
export function templateOf(
  nodes: readonly TlvNode[],
): { readonly tag: string; readonly objects: readonly TlvNode[] } | undefined {
  const known: readonly string[] = Object.values(TEMPLATES);
  for (const node of nodes) {
    if (known.includes(node.tag) && 'children' in node) return { tag: node.tag, objects: node.children };
  }
  return undefined;
}
