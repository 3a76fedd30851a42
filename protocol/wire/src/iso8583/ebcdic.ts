/** Printable ASCII by its byte in IBM code page 1047, in runs of consecutive bytes. */
const RUNS: readonly (readonly [number, string])[] = [
  [0x40, ' '],
  [0x4b, '.<(+|&'],
  [0x5a, '!$*);^-/'],
  [0x6b, ',%_>?'],
  [0x79, '`:#@\'="'],
  [0x81, 'abcdefghi'],
  [0x91, 'jklmnopqr'],
  [0xa1, '~stuvwxyz'],
  [0xad, '['],
  [0xbd, ']'],
  [0xc0, '{ABCDEFGHI'],
  [0xd0, '}JKLMNOPQR'],
  [0xe0, '\\'],
  [0xe2, 'STUVWXYZ'],
  [0xf0, '0123456789'],
];
/** No character of ours has this byte. */
const NONE = 0;

const TO_EBCDIC = new Uint8Array(128);
const TO_ASCII = new Uint8Array(256);
for (const [first, characters] of RUNS) {
  for (let i = 0; i < characters.length; i += 1) {
    TO_EBCDIC[characters.charCodeAt(i)] = first + i;
    TO_ASCII[first + i] = characters.charCodeAt(i);
  }
}

/** The byte of a printable ASCII character; undefined for every other code. */
export function ebcdicOf(code: number): number | undefined {
  return TO_EBCDIC[code] || undefined;
}

/** The ASCII code of a byte; undefined where it is no printable ASCII character. */
export function asciiOf(byte: number): number | undefined {
  return TO_ASCII[byte] === NONE ? undefined : TO_ASCII[byte];
}
