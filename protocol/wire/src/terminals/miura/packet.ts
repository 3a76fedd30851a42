import { TerminalFormatError } from '../format-error.js';
import type { Parsed } from '../parsed.js';

/** Which device of the unit is spoken to: the pin pad, or the printer base under it. */
const NODES = { mpi: 0x01, rpi: 0x02 } as const;
type NodeName = keyof typeof NODES;

/** Protocol control byte: more packets of the message follow; the host did not ask for the message. */
const CHAINED = 0x01;
const UNSOLICITED = 0x40;
const KNOWN_CONTROL = CHAINED | UNSOLICITED;
const HEADER_BYTES = 3;
const LRC_BYTES = 1;

/** Bytes of an APDU in one packet. */
const MIN_APDU_BYTES = 2;
const MAX_APDU_BYTES = 254;
/** Longest message over all its chained packets: well above any answer of a sale. */
const MAX_MESSAGE_BYTES = 16 * 1024;

/** One whole message of the device or the host. */
export interface MiuraMessage {
  readonly node: NodeName;
  readonly unsolicited: boolean;
  /** A command APDU, or response data and status word. */
  readonly apdu: Buffer;
}

/** What came out of the bytes. `damaged`: bytes that are no packet, or one whose LRC is wrong, were skipped. */
export type PacketEvent =
  | { readonly kind: 'message'; readonly message: MiuraMessage }
  | { readonly kind: 'damaged' };

/** What a parser remembers between two pieces. */
interface PacketState {
  /** Bytes that are not a whole packet yet: at most one packet. */
  readonly rest: Buffer;
  /** Chained parts of a message that is not whole yet. */
  readonly chain:
    | { readonly node: NodeName; readonly unsolicited: boolean; readonly parts: Buffer }
    | undefined;
}

/** Nothing has come yet. */
export const INITIAL_PACKET_STATE: PacketState = { rest: Buffer.alloc(0), chain: undefined };

/** XOR of all bytes; over a whole packet with its LRC it is zero. */
function lrc(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum ^= byte;
  return sum;
}

function packet(node: NodeName, control: number, apdu: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.of(NODES[node], control, apdu.length), apdu]);
  return Buffer.concat([body, Buffer.of(lrc(body))]);
}

/** A command's packet. @throws TerminalFormatError when the APDU does not fit one packet */
export function encodeCommandPacket(apdu: Uint8Array, node: NodeName = 'mpi'): Buffer {
  if (apdu.length < MIN_APDU_BYTES || apdu.length > MAX_APDU_BYTES) {
    throw new TerminalFormatError(
      'command',
      `has ${apdu.length} bytes, must have ${MIN_APDU_BYTES} to ${MAX_APDU_BYTES}`,
    );
  }
  return packet(node, 0, apdu);
}

/** The packets of a message of the device; a long one is chained. @throws TerminalFormatError when it is too long */
export function encodeMessagePackets({ node, unsolicited, apdu }: MiuraMessage): Buffer {
  if (apdu.length < MIN_APDU_BYTES || apdu.length > MAX_MESSAGE_BYTES) {
    throw new TerminalFormatError('message', `has ${apdu.length} bytes, at most ${MAX_MESSAGE_BYTES}`);
  }
  const kind = unsolicited ? UNSOLICITED : 0;
  const packets: Buffer[] = [];
  for (let at = 0; at < apdu.length; ) {
    const length = partLength(apdu.length - at);
    const control = at + length < apdu.length ? kind | CHAINED : kind;
    packets.push(packet(node, control, apdu.subarray(at, at + length)));
    at += length;
  }
  return Buffer.concat(packets);
}

/** A part that leaves enough for the last one: no packet has a single byte. */
function partLength(left: number): number {
  if (left <= MAX_APDU_BYTES) return left;
  return left - MAX_APDU_BYTES < MIN_APDU_BYTES ? MAX_APDU_BYTES - MIN_APDU_BYTES : MAX_APDU_BYTES;
}

function nodeOf(byte: number | undefined): NodeName | undefined {
  if (byte === NODES.mpi) return 'mpi';
  return byte === NODES.rpi ? 'rpi' : undefined;
}

/** Whether the bytes can be the beginning of a packet, as far as they go. */
function mayBegin(bytes: Uint8Array): boolean {
  const [node, control = 0, length = MIN_APDU_BYTES] = bytes;
  if (nodeOf(node) === undefined || (control & ~KNOWN_CONTROL) !== 0) return false;
  return length >= MIN_APDU_BYTES && length <= MAX_APDU_BYTES;
}

/**
 * Takes bytes as they come. There is no message for damage: the parser looks for the next header that can be one, byte
 * by byte, and a packet whose LRC is wrong gives up its first byte alone.
 */
export function parsePackets(state: PacketState, bytes: Uint8Array): Parsed<PacketState, PacketEvent> {
  const events: PacketEvent[] = [];
  let { chain } = state;
  let rest = Buffer.concat([state.rest, bytes]);
  let skipping = false;
  const skip = (): void => {
    if (!skipping) events.push({ kind: 'damaged' });
    skipping = true;
    chain = undefined;
    rest = rest.subarray(1);
  };
  while (rest.length > 0) {
    if (!mayBegin(rest)) {
      skip();
      continue;
    }
    const whole = HEADER_BYTES + (rest[2] ?? MAX_APDU_BYTES) + LRC_BYTES;
    if (rest.length < HEADER_BYTES || rest.length < whole) break;
    const bytesOfPacket = rest.subarray(0, whole);
    if (lrc(bytesOfPacket) !== 0) {
      skip();
      continue;
    }
    skipping = false;
    rest = rest.subarray(whole);
    const taken = takePacket(chain, bytesOfPacket);
    chain = taken.chain;
    if (taken.event) events.push(taken.event);
  }
  return { state: { rest: Buffer.from(rest), chain }, events };
}

function takePacket(
  chain: PacketState['chain'],
  bytes: Buffer,
): { readonly chain: PacketState['chain']; readonly event?: PacketEvent } {
  const node = nodeOf(bytes[0]) ?? 'mpi';
  const control = bytes[1] ?? 0;
  const unsolicited = (control & UNSOLICITED) !== 0;
  const continues = chain !== undefined && chain.node === node && chain.unsolicited === unsolicited;
  const before = continues ? chain.parts : Buffer.alloc(0);
  const parts = Buffer.concat([before, bytes.subarray(HEADER_BYTES, -LRC_BYTES)]);
  if (parts.length > MAX_MESSAGE_BYTES) return { chain: undefined, event: { kind: 'damaged' } };
  if ((control & CHAINED) !== 0) return { chain: { node, unsolicited, parts } };
  return { chain: undefined, event: { kind: 'message', message: { node, unsolicited, apdu: parts } } };
}
