/** CRC-16 with the polynomial 1021, high bit first, over a table-free shift register. @param initial 0 (XMODEM) or FFFF (CCITT-FALSE) */
export function crc1021(bytes: Uint8Array, initial: number): number {
  let register = initial;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const out = (register >>> 15) ^ ((byte >>> bit) & 1);
      register = (register << 1) & 0xffff;
      if (out === 1) register ^= 0x1021;
    }
  }
  return register;
}

/** Exclusive or of all bytes. */
export function xorOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0);
}

/** Throws unless bytes are whole BER-TLV objects, templates within templates. @returns their tags at the top */
export function berTags(bytes: Uint8Array): string[] {
  const tags: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const first = bytes[at] ?? 0;
    at += 1;
    if ((first & 0x1f) === 0x1f) {
      while (((bytes[at] ?? 0) & 0x80) !== 0) at += 1;
      at += 1;
    }
    tags.push(Buffer.from(bytes.subarray(start, at)).toString('hex').toUpperCase());
    let length = bytes[at] ?? -1;
    at += 1;
    if (length > 0x80) {
      const count = length & 0x7f;
      length = Buffer.from(bytes.subarray(at, at + count)).readUIntBE(0, count);
      at += count;
    }
    if (length < 0 || length === 0x80 || at + length > bytes.length) throw new Error('no whole BER-TLV');
    if ((first & 0x20) !== 0) berTags(bytes.subarray(at, at + length));
    at += length;
  }
  return tags;
}
