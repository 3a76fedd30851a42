/** Code page 437 from 80 on: what tills read unless they name another character set. */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
const CODES: ReadonlyMap<string, number> = new Map([...UPPER].map((character, at) => [character, 0x80 + at]));

/** Characters that code page 437 does not have, and what is printed for them. */
const SPELLED: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '–': '-',
  '’': "'",
  '…': '...',
  '“': '"',
  '”': '"',
};

/** A text in code page 437; what it does not have is a question mark. */
export function encodeText(text: string): Buffer {
  const spelled = [...text].map((character) => SPELLED[character] ?? character).join('');
  return Buffer.from([...spelled].map(codeOf));
}

/** A text of a till; control characters are blanks. */
export function decodeText(bytes: Uint8Array): string {
  return [...bytes]
    .map((code) =>
      code < 0x20 || code === 0x7f ? ' ' : code < 0x80 ? String.fromCharCode(code) : UPPER[code - 0x80],
    )
    .join('');
}

function codeOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return code;
  return CODES.get(character) ?? 0x3f;
}
