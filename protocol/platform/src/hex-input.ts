import { readFileSync } from 'node:fs';
import { systemCode } from './system-code.js';

const STANDARD_INPUT = '-';

/**
 * The hex digits of a command line: its arguments, else a file (`-`, and nothing at all: standard input).
 * @throws what `refuse` makes
 */
export function readHexInput(
  words: readonly string[],
  file: string | undefined,
  refuse: (problem: string) => Error,
): string {
  if (words.length > 0 && file !== undefined) throw refuse('give hex digits or --file, not both');
  if (words.length > 0 && words[0] !== STANDARD_INPUT) return words.join('');
  const source = file ?? STANDARD_INPUT;
  if (source === STANDARD_INPUT && process.stdin.isTTY)
    throw refuse('give hex digits, --file FILE, or pipe them in');
  try {
    return readFileSync(source === STANDARD_INPUT ? 0 : source, 'latin1');
  } catch (error) {
    throw refuse(`${source} cannot be read (${systemCode(error)})`);
  }
}
