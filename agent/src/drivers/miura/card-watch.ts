import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type DeviceReport, decodeReport } from '@tillbridge/wire/terminals/miura/reports.js';
import { TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import { EventQueue } from '../core/event-queue.js';
import { attempt, failed, isFailed } from '../core/result.js';
import type { MiuraLink } from './link.js';

/** The device gave no status of its slot. */
export const SLOT_SILENT = failed('terminal-silent', 'CARD STATUS: the terminal reports nothing of its slot');

/** A report on the card slot and the magstripe reader. */
export type CardReport = Extract<DeviceReport, { kind: 'card' }>;

/** One report that cannot be read must not end a sale: the driver requests it again or does without it. */
function readReport(data: Uint8Array): DeviceReport | undefined {
  const report = attempt('status', () => decodeReport(data));
  return isFailed(report) ? undefined : report;
}

/** Queue of the device's unsolicited reports while a sale runs. */
export class CardWatch extends EventQueue<DeviceReport> {
  private readonly stop: () => void;

  constructor(link: MiuraLink, clock: Clock, onPin: () => void) {
    super(clock);
    this.stop = link.listen({
      onMessage: ({ unsolicited, data }) => {
        const event = unsolicited ? readReport(data) : undefined;
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
