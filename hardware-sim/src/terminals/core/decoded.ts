import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';

/** What `decode` returns; undefined for bytes that the maker's protocol does not allow. */
export function decoded<T>(decode: () => T): T | undefined {
  return decodedOr(decode, () => undefined);
}

/** What `decode` returns, or what `refused` makes of bytes that the maker's protocol does not allow. */
export function decodedOr<T, R>(decode: () => T, refused: (error: TerminalFormatError) => R): T | R {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TerminalFormatError) return refused(error);
    throw error;
  }
}
