import type { JSX } from 'preact';

const BYTES_IN_ROW = 16;

/** Hex in pairs. */
export function spaced(hex: string): string {
  return hex.replace(/(..)(?=.)/g, '$1 ');
}

/** Bytes with offsets and characters, as a hex dump. */
export function HexDump({ hex }: { readonly hex: string }): JSX.Element {
  const rows: string[] = [];
  for (let at = 0; at < hex.length; at += 2 * BYTES_IN_ROW) {
    const row = hex.slice(at, at + 2 * BYTES_IN_ROW);
    const offset = (at / 2).toString(16).toUpperCase().padStart(4, '0');
    rows.push(`${offset}  ${spaced(row).padEnd(3 * BYTES_IN_ROW - 1)}  ${characters(row)}`);
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <pre class="hex" tabIndex={0}>
      {rows.join('\n')}
    </pre>
  );
}

function characters(hex: string): string {
  return (hex.match(/../g) ?? [])
    .map((pair) => Number.parseInt(pair, 16))
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'))
    .join('');
}
