const MAX_ADDRESS_LINES = 4;

/** The lines of an address. */
export function addressLines(text = ''): readonly string[] {
  return text
    .split(';')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Whether the text is an address that fits on a receipt. */
export function isAddress(text: string): boolean {
  const lines = addressLines(text);
  return lines.length <= MAX_ADDRESS_LINES && lines.every((line) => /^[^\p{C}]{1,40}$/u.test(line));
}
