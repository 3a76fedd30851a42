import { decodeTlv, encodeTlv, findTlv, type TlvNode, tlv } from '../../emv/tlv.js';
import { type CardStatus, decodeCardStatus } from './card-status.js';
import { encodeResponse } from './responses.js';
import { STATUSES } from './statuses.js';
import { DEVICE_STATUS, TAGS, TEMPLATES } from './tags.js';

/** What the device reports without a request. */
export type DeviceReport =
  | { readonly kind: 'card'; readonly status: CardStatus; readonly nodes: readonly TlvNode[] }
  | { readonly kind: 'key'; readonly code: number }
  /** The device prompts for a PIN, or continues to. */
  | { readonly kind: 'pin' };

/** Templates of the reports, one for each (maker's host code and its tests). */
const REPORT_TEMPLATES = {
  card: TEMPLATES.responseData,
  key: TEMPLATES.commandData,
  status: TEMPLATES.statusChanged,
} as const;

function report(kind: keyof typeof REPORT_TEMPLATES, nodes: readonly TlvNode[]): Buffer {
  return encodeResponse({ data: encodeTlv([tlv(REPORT_TEMPLATES[kind], nodes)]), sw: STATUSES.ok.code });
}

/** Report of slot and magstripe reader. @param nodes tag 48 and what came with the card */
export function encodeCardReport(nodes: readonly TlvNode[]): Buffer {
  return report('card', nodes);
}

/** Report of a pressed key. */
export function encodeKeyReport(code: number): Buffer {
  return report('key', [tlv(TAGS.keyboardData, Buffer.of(code))]);
}

/** Report of what the device does: a code, a text, and what belongs to them. */
export function encodeStatusReport(code: number, text: string, nodes: readonly TlvNode[] = []): Buffer {
  const head = [tlv(TAGS.statusCode, Buffer.of(code)), tlv(TAGS.statusText, Buffer.from(text, 'latin1'))];
  return report('status', [...head, ...nodes]);
}

/**
 * Reads a report without its status word, in whatever template it comes; undefined for one of other matters.
 * @throws TlvError, TerminalFormatError
 */
export function decodeReport(data: Uint8Array): DeviceReport | undefined {
  const nodes = decodeTlv(data).flatMap((node) => ('children' in node ? node.children : [node]));
  const status = findTlv(nodes, TAGS.cardStatus);
  if (status) return { kind: 'card', status: decodeCardStatus(status), nodes };
  const key = findTlv(nodes, TAGS.keyboardData)?.[0];
  if (key !== undefined) return { kind: 'key', code: key };
  return findTlv(nodes, TAGS.statusCode)?.[0] === DEVICE_STATUS.pinEntry ? { kind: 'pin' } : undefined;
}
