import { decodeTlv, encodeTlv, TlvError, type TlvNode, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';

/** A command: header and data (SDI guide, application protocol). */
export interface SdiCommand {
  readonly cla: number;
  readonly ins: number;
  readonly p1: number;
  readonly p2: number;
  readonly data: Uint8Array;
}

/** What a device sends: an answer, a request that wants a reply, or a notification. */
export interface SdiMessage {
  readonly kind: 'answer' | 'request' | 'notification';
  /** Status word: SW1 SW2. */
  readonly sw: number;
  readonly data: Buffer;
}

/** Constructed tag around all data of commands and answers. */
const CONTAINER = 'F0';
/** EMV request of the device, and the host's reply to it (SDI guide, 91-01). */
export const EMV_REQUEST = 0x9101;
export const EMV_REPLY = 0x9201;
/** Notifications that belong to no command (SDI guide, 9E-XX). */
export const NOTIFY_CALLBACK = 0x9e01;

const HEADER_BYTES = 4;
const SW_BYTES = 2;
const REQUEST_SW1: ReadonlySet<number> = new Set([EMV_REQUEST >>> 8, 0x9b]);
/** Status, navigator, intermediate result, payment notification: none wants a reply. */
const NOTIFICATION_SW1: ReadonlySet<number> = new Set([0x99, 0x9d, 0x9e, 0x9f]);

/** Writes a command. */
export function encodeCommand({ cla, ins, p1, p2, data }: SdiCommand): Buffer {
  return Buffer.concat([Buffer.of(cla, ins, p1, p2), data]);
}

/** Reads a command. @throws TerminalFormatError when its header is not whole */
export function decodeCommand(message: Uint8Array): SdiCommand {
  const [cla, ins, p1, p2] = message;
  if (cla === undefined || ins === undefined || p1 === undefined || p2 === undefined) {
    throw new TerminalFormatError('command', `has ${message.length} bytes, at least ${HEADER_BYTES}`);
  }
  return { cla, ins, p1, p2, data: Buffer.from(message.subarray(HEADER_BYTES)) };
}

/** Writes a status word and what follows it: an answer, a request, a reply or a notification. */
export function encodeStatus(sw: number, data: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.of(sw >>> 8, sw & 0xff), data]);
}

/** Reads what a device sends. @throws TerminalFormatError when it has no status word */
export function decodeMessage(message: Uint8Array): SdiMessage {
  const [sw1, sw2] = message;
  if (sw1 === undefined || sw2 === undefined) throw new TerminalFormatError('answer', 'has no status word');
  const data = Buffer.from(message.subarray(SW_BYTES));
  const sw = (sw1 << 8) | sw2;
  if (REQUEST_SW1.has(sw1)) return { kind: 'request', sw, data };
  return { kind: NOTIFICATION_SW1.has(sw1) ? 'notification' : 'answer', sw, data };
}

/** Whether a host's message is the reply to an EMV request (92-01; one trace of the EMV guide shows 92-00). */
export function isReply(message: Uint8Array): boolean {
  return message[0] === EMV_REPLY >>> 8;
}

/** Puts objects into the container. */
export function encodeContainer(nodes: readonly TlvNode[]): Buffer {
  return encodeTlv([tlv(CONTAINER, nodes)]);
}

/** The objects of the container; none when there are no data. @throws TerminalFormatError when there is something else */
export function decodeContainer(data: Uint8Array): readonly TlvNode[] {
  if (data.length === 0) return [];
  try {
    const [node] = decodeTlv(data);
    if (node?.tag === CONTAINER && 'children' in node) return node.children;
  } catch (error) {
    if (!(error instanceof TlvError)) throw error;
    throw new TerminalFormatError('data', `is no BER-TLV: ${error.message}`);
  }
  throw new TerminalFormatError('data', `has no container ${CONTAINER}`);
}
