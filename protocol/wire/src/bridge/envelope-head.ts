import protobuf from 'protobufjs/minimal.js';
import { BRIDGE_LIMITS } from './limits.js';

/** Identity and place of a message, without its body. */
interface EnvelopeHead {
  readonly id: string;
  readonly terminalId: string;
  readonly sequence: number;
}

/** Fields of `Envelope` in bridge.proto. */
const FIELD = { id: 1, terminalId: 2, sequence: 3 } as const;
const ID = /^[0-9A-Za-z-]{1,64}$/;

/**
 * The head of an envelope whose body cannot be read, so that it can be parked in its place; undefined where not even that can be read,
 * or the message stands in no stream.
 */
export function readEnvelopeHead(bytes: Uint8Array): EnvelopeHead | undefined {
  let id = '';
  let terminalId = '';
  let sequence = 0;
  try {
    const reader = protobuf.Reader.create(bytes);
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      const [field, wireType] = [tag >>> 3, tag & 7];
      if (field === FIELD.id && wireType === 2) id = reader.string();
      else if (field === FIELD.terminalId && wireType === 2) terminalId = reader.string();
      else if (field === FIELD.sequence && wireType === 0) sequence = Number(reader.uint64());
      else reader.skipType(wireType);
    }
  } catch {
    // The head stands first: what was read before the damage counts.
  }
  const readable = ID.test(id) && terminalId !== '' && terminalId.length <= BRIDGE_LIMITS.maxTextLength;
  return readable && Number.isSafeInteger(sequence) && sequence > 0
    ? { id, terminalId, sequence }
    : undefined;
}
