/** Something that must not stand in a file in clear, and the forms in which it would be found. */
export interface Secret {
  /** What it is, for the report; never the value. */
  readonly label: string;
  /** Byte patterns, each with the encoding that it shows. */
  readonly patterns: readonly { readonly encoding: string; readonly bytes: Buffer }[];
  /** Digits looked for as BCD at either nibble of a byte, as hex text; undefined for secrets that are no digits. */
  readonly digits: string | undefined;
}

/** Shortest digits that are looked for: fewer would be found by chance. */
const MIN_DIGITS = 12;
/** Fewest digits between leading and trailing zeros that BCD is looked for by. */
const MIN_SIGNIFICANT_DIGITS = 8;
/** Shortest bytes that are looked for, for the same reason. */
const MIN_BYTES = 8;

/** Card number, track or PIN of at least twelve digits: as ASCII, BCD, hex and base64. */
export function digitSecret(label: string, digits: string): Secret {
  if (!/^\d+$/.test(digits) || digits.length < MIN_DIGITS) {
    throw new RangeError(`${label}: at least ${MIN_DIGITS} digits, or chance would find it`);
  }
  const ascii = Buffer.from(digits, 'latin1');
  const bcd = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}F`, 'hex');
  const patterns = [
    { encoding: 'ascii', bytes: ascii },
    ...hexText('hex of ascii', ascii),
    ...base64Text('base64 of ascii', ascii),
  ];
  if (!distinctive(digits)) return { label, patterns, digits: `${digits}D` };
  return { label, patterns: [...patterns, ...base64Text('base64 of bcd', bcd)], digits };
}

/** Digits that are hardly more than zeros stand in every file as BCD: one byte and the empty space behind it. Of a card they are looked for as track 2. */
function distinctive(digits: string): boolean {
  return digits.replace(/^0+|0+$/g, '').length >= MIN_SIGNIFICANT_DIGITS;
}

/** Key, token or other text or bytes: as they are, as hex and as base64. */
export function byteSecret(label: string, bytes: Uint8Array): Secret {
  if (bytes.length < MIN_BYTES) throw new RangeError(`${label}: at least ${MIN_BYTES} bytes`);
  const raw = Buffer.from(bytes);
  const patterns = [{ encoding: 'raw', bytes: raw }, ...hexText('hex', raw), ...base64Text('base64', raw)];
  return { label, patterns, digits: undefined };
}

function hexText(encoding: string, bytes: Buffer): Secret['patterns'] {
  const lower = bytes.toString('hex');
  return [lower, lower.toUpperCase()].map((text) => ({ encoding, bytes: Buffer.from(text, 'latin1') }));
}

/** Base64 of the bytes at each of the three positions they may have in a longer text, without the edges that vary. */
function base64Text(encoding: string, bytes: Buffer): Secret['patterns'] {
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    const first = shift === 0 ? 0 : 4;
    const last = Math.floor(whole.length / 3) * 4;
    const inner = whole.toString('base64').slice(first, last);
    const urlSafe = inner.replaceAll('+', '-').replaceAll('/', '_');
    return [...new Set([inner, urlSafe])].map((text) => ({ encoding, bytes: Buffer.from(text, 'latin1') }));
  });
}
