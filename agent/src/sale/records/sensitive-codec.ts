import type { SensitiveData } from '../machine/state/events.js';

/** Parts of a blob, in this order: ICC data, SRED data, SRED key serial number. */
const PARTS = 3;
const LENGTH_BYTES = 2;

/** A blob that was not written by {@link encodeSensitive}. */
export class SensitiveFormatError extends Error {
  override readonly name = 'SensitiveFormatError';
}

/** The sensitive data of one message as bytes: each part with its length in two bytes. */
export function encodeSensitive({ iccData, sred }: SensitiveData): Uint8Array {
  const parts = [iccData, sred?.data ?? new Uint8Array(), sred?.ksn ?? new Uint8Array()];
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(part.length);
      return [length, part];
    }),
  );
}

/**
 * Reads what {@link encodeSensitive} wrote, into copies: the caller may wipe `bytes` at once.
 * @throws SensitiveFormatError
 */
export function decodeSensitive(messageId: string, bytes: Uint8Array): SensitiveData {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at + LENGTH_BYTES <= bytes.length) {
    const end = at + LENGTH_BYTES + (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0));
    // `slice` of a Buffer would be a view on the bytes that the caller wipes.
    parts.push(Uint8Array.from(bytes.subarray(at + LENGTH_BYTES, end)));
    at = end;
  }
  const [iccData, data, ksn] = parts;
  if (parts.length !== PARTS || at !== bytes.length || !iccData || !data || !ksn) {
    throw new SensitiveFormatError('sensitive data has not the form of a journal blob');
  }
  return { messageId, iccData, ...(data.length > 0 && { sred: { data, ksn } }) };
}
