/** A text in printable ASCII, as hosts take it: marks are left off letters, anything else becomes a question mark. */
export function ascii(text: string, length: number): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
  return plain.replace(/[^\x20-\x7e]/gu, '?').slice(0, length);
}
