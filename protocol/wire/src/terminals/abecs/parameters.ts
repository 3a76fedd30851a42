import { TerminalFormatError } from '../format-error.js';
import { MAX_BLOCK_LENGTH } from './message.js';

/** Longest value of one parameter (ABECS 2.12 §3.1.3.1). */
const MAX_PARAMETER_LENGTH = 995;

const HEAD_LENGTH = 4;

/** One TLV parameter of an Abecs command or answer: 2-byte id, 2-byte length, value. */
export interface Parameter {
  readonly id: number;
  readonly value: Uint8Array;
}

function encodeParameter(parameter: Parameter): Buffer {
  const { id, value } = parameter;
  const where = parameterName(id);
  if (!Number.isInteger(id) || id < 0 || id > 0xffff)
    throw new TerminalFormatError(where, 'must be a 2-byte id');
  if (value.length > MAX_PARAMETER_LENGTH) {
    throw new TerminalFormatError(where, `${value.length} bytes, at most ${MAX_PARAMETER_LENGTH}`);
  }
  const out = Buffer.alloc(HEAD_LENGTH + value.length);
  out.writeUInt16BE(id, 0);
  out.writeUInt16BE(value.length, 2);
  out.set(value, HEAD_LENGTH);
  return out;
}

/** `parameter 0013`, for errors and traces. */
function parameterName(id: number): string {
  return `parameter ${id.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Blocks of at most 999 bytes holding the parameters in their order, none cut in two (ABECS 2.12 §3.1.3.1).
 * No parameters give no block.
 * @throws TerminalFormatError
 */
export function encodeParameters(parameters: readonly Parameter[]): Buffer[] {
  const blocks: Buffer[] = [];
  let parts: Buffer[] = [];
  let length = 0;
  for (const parameter of parameters) {
    const encoded = encodeParameter(parameter);
    if (length + encoded.length > MAX_BLOCK_LENGTH) {
      blocks.push(Buffer.concat(parts));
      parts = [];
      length = 0;
    }
    parts.push(encoded);
    length += encoded.length;
  }
  if (parts.length > 0) blocks.push(Buffer.concat(parts));
  return blocks;
}

/** Reads the parameters of all blocks, repeated ids included. @throws TerminalFormatError */
export function decodeParameters(blocks: readonly Uint8Array[]): Parameter[] {
  const parameters: Parameter[] = [];
  for (const [index, block] of blocks.entries()) {
    const bytes = Buffer.from(block);
    let offset = 0;
    while (offset < bytes.length) {
      if (offset + HEAD_LENGTH > bytes.length) {
        throw new TerminalFormatError(`block ${index + 1}`, 'ends inside the id or length of a parameter');
      }
      const id = bytes.readUInt16BE(offset);
      const length = bytes.readUInt16BE(offset + 2);
      offset += HEAD_LENGTH;
      if (offset + length > bytes.length) {
        throw new TerminalFormatError(parameterName(id), 'is longer than the rest of its block');
      }
      parameters.push({ id, value: bytes.subarray(offset, offset + length) });
      offset += length;
    }
  }
  return parameters;
}
