/** Breaks a text at its blanks into the rows of a display; what does not fit is cut. */
export function displayRows(text: string, columns: number, rows: number): string[] {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.slice(0, columns));
  }
  return lines.slice(0, rows);
}
