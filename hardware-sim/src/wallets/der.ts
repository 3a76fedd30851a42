/** One DER element (X.690 §8.1): tag, length, content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
/** SET OF: the elements in the order of their bytes (X.690 §11.6). */
export const setOf = (...content: readonly Uint8Array[]): Buffer =>
  der(0x31, ...content.toSorted(Buffer.compare));
export const octets = (content: Uint8Array): Buffer => der(0x04, content);
export const smallInteger = (value: number): Buffer => der(0x02, Uint8Array.of(value));
/** `[number]`, constructed. */
export const context = (number: number, ...content: readonly Uint8Array[]): Buffer =>
  der(0xa0 + number, ...content);
/** `[number]`, primitive. */
export const primitive = (number: number, content: Uint8Array): Buffer => der(0x80 + number, content);

/** An object identifier such as `1.2.840.113549.1.7.2`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime of a wall clock (RFC 5652 §11.3: years up to 2049). */
export function utcTime(nowMs: number): Buffer {
  const [, text = ''] = /^\d\d(.{17})/.exec(new Date(nowMs).toISOString()) ?? [];
  return der(0x17, Buffer.from(`${text.replaceAll(/\D/g, '')}Z`, 'latin1'));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
}
