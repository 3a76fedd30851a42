import { TerminalFormatError } from '../format-error.js';

/** An answer of the device. */
export interface MiuraResponse {
  readonly data: Buffer;
  /** SW1 SW2. */
  readonly sw: number;
}

const SW_BYTES = 2;

/** Writes an answer: data, then the status word. */
export function encodeResponse({ data, sw }: { readonly data: Uint8Array; readonly sw: number }): Buffer {
  return Buffer.concat([data, Buffer.of(sw >>> 8, sw & 0xff)]);
}

/** Takes an answer apart. @throws TerminalFormatError when it has no status word */
export function decodeResponse(apdu: Uint8Array): MiuraResponse {
  if (apdu.length < SW_BYTES) throw new TerminalFormatError('response', 'has no status word');
  const at = apdu.length - SW_BYTES;
  return { data: Buffer.from(apdu.subarray(0, at)), sw: ((apdu[at] ?? 0) << 8) | (apdu[at + 1] ?? 0) };
}
