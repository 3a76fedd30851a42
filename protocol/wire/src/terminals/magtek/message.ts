import { decodeTlv, encodeTlv, TlvError, type TlvNode, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';

/** First byte of every message, and the version of the framework behind it. */
const START_OF_MESSAGE = 0xaa;
const FRAMEWORK_VERSION = 0x00;
const PREFIX_BYTES = 2;

/** First byte of the message information. */
const MESSAGE_TYPES = { request: 0x01, response: 0x82, notification: 0x83 } as const;

/** Tags of a message, the same in all of them. */
const PARTS = { information: '81', detail: '82', additional: '83', payload: '84' } as const;
const BYTES = { information: 4, detail: 4, id: 2 } as const;

/** How a command ended, or began: summary, then group, subgroup and code of the detail. */
export interface OperationStatus {
  readonly summary: number;
  /** Group, subgroup and code in one number: `0x020304`. */
  readonly detail: number;
}

/** What the host requests. */
export interface MmsRequest {
  readonly kind: 'request';
  /** Chosen by the host, repeated by the response. */
  readonly reference: number;
  readonly command: number;
  /** Behind the command's number. */
  readonly parameters: Buffer;
}

/** The device's answer to a request. */
export interface MmsResponse {
  readonly kind: 'response';
  readonly reference: number;
  readonly command: number;
  readonly status: OperationStatus;
  /** Behind the command's number; empty where there are none. */
  readonly parameters: Buffer;
}

/** What the device reports by itself. */
export interface MmsNotification {
  readonly kind: 'notification';
  /** Source and type, `0x0101`. */
  readonly id: number;
  /** Four bytes that state what happened, as hex: `10080202`. */
  readonly detail: string;
  /** The whole payload, with the notification's number where it has one; empty where there is none. */
  readonly payload: Buffer;
}

/** A message, either way. */
export type MmsMessage = MmsRequest | MmsResponse | MmsNotification;

const EMPTY = Buffer.alloc(0);

function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function information(type: number, reference: number, id: number): TlvNode {
  return tlv(PARTS.information, Buffer.concat([Buffer.of(type, reference), uint16(id)]));
}

function message(...nodes: readonly TlvNode[]): Buffer {
  return Buffer.concat([Buffer.of(START_OF_MESSAGE, FRAMEWORK_VERSION), encodeTlv(nodes)]);
}

/** A request's bytes. */
export function encodeRequest({ reference, command, parameters }: Omit<MmsRequest, 'kind'>): Buffer {
  return message(
    information(MESSAGE_TYPES.request, reference, command),
    tlv(PARTS.payload, Buffer.concat([uint16(command), parameters])),
  );
}

/** A response's bytes; with `bare` one without parameters has no payload. */
export function encodeResponse(
  { reference, command, status, parameters }: Omit<MmsResponse, 'kind'>,
  { bare = false } = {},
): Buffer {
  const detail = Buffer.alloc(BYTES.detail);
  detail.writeUInt32BE(status.summary * 0x1000000 + status.detail);
  return message(
    information(MESSAGE_TYPES.response, reference, command),
    tlv(PARTS.detail, detail),
    ...(bare && parameters.length === 0
      ? []
      : [tlv(PARTS.payload, Buffer.concat([uint16(command), parameters]))]),
  );
}

/** A notification's bytes. */
export function encodeNotification({ id, detail, payload }: Omit<MmsNotification, 'kind'>): Buffer {
  return message(
    information(MESSAGE_TYPES.notification, 0, id),
    tlv(PARTS.detail, Buffer.from(detail, 'hex')),
    ...(payload.length === 0 ? [] : [tlv(PARTS.payload, payload)]),
  );
}

/** The parts of a message. @throws TerminalFormatError */
function readParts(bytes: Uint8Array): readonly TlvNode[] {
  if (bytes[0] !== START_OF_MESSAGE) throw new TerminalFormatError('message', 'does not begin with AA');
  try {
    return decodeTlv(bytes.subarray(PREFIX_BYTES), { padding: 'strict' });
  } catch (error) {
    if (error instanceof TlvError) throw new TerminalFormatError('message', `is no TLV: ${error.code}`);
    throw error;
  }
}

function part(nodes: readonly TlvNode[], name: keyof typeof PARTS, bytes?: number): Buffer {
  const node = nodes.find(({ tag }) => tag === PARTS[name]);
  const value = node && 'value' in node ? node.value : undefined;
  if (!value || (bytes !== undefined && value.length < bytes))
    throw new TerminalFormatError(`message ${name}`, bytes ? `must have ${bytes} bytes` : 'is missing');
  return Buffer.from(value);
}

/** Payload behind the command's number. @throws TerminalFormatError */
function parametersOf(payload: Buffer, command: number): Buffer {
  if (payload.length < BYTES.id || payload.readUInt16BE() !== command)
    throw new TerminalFormatError('message payload', 'does not begin with the number of its command');
  return payload.subarray(BYTES.id);
}

/** Reads a message of any kind. @throws TerminalFormatError */
export function decodeMessage(bytes: Uint8Array): MmsMessage {
  const nodes = readParts(bytes);
  const info = part(nodes, 'information', BYTES.information);
  const reference = info[1] ?? 0;
  const id = info.readUInt16BE(2);
  const payload = Buffer.from(parameter(nodes, PARTS.payload) ?? EMPTY);
  switch (info[0]) {
    case MESSAGE_TYPES.request:
      return { kind: 'request', reference, command: id, parameters: parametersOf(payload, id) };
    case MESSAGE_TYPES.response: {
      const detail = part(nodes, 'detail', BYTES.detail);
      const status = { summary: detail[0] ?? 0, detail: detail.readUIntBE(1, 3) };
      const parameters = payload.length === 0 ? EMPTY : parametersOf(payload, id);
      return { kind: 'response', reference, command: id, status, parameters };
    }
    case MESSAGE_TYPES.notification: {
      const detail = part(nodes, 'detail', BYTES.detail).subarray(0, BYTES.detail);
      return { kind: 'notification', id, detail: detail.toString('hex').toUpperCase(), payload };
    }
    default:
      throw new TerminalFormatError('message type', 'is none of request, response, notification');
  }
}

/**
 * Reads the parameters of a command, a response or a notification.
 * @throws TerminalFormatError
 */
export function readParameters(bytes: Uint8Array): readonly TlvNode[] {
  try {
    return decodeTlv(bytes, { padding: 'strict' });
  } catch (error) {
    if (error instanceof TlvError) throw new TerminalFormatError('parameters', `are no TLV: ${error.code}`);
    throw error;
  }
}

/** The value of a parameter at the top; undefined when it is missing. */
export function parameter(nodes: readonly TlvNode[], tag: string): Uint8Array | undefined {
  const node = nodes.find((each) => each.tag === tag);
  return node && 'value' in node ? node.value : undefined;
}
