import { editDistance } from './edit-distance.js';

/** Longest name that is looked at; what is longer is cut. */
const MAX_LENGTH = 64;

/** The name among `known` that the writer probably meant, or undefined when none is close. Pure. */
export function nearMatch(written: string, known: readonly string[]): string | undefined {
  const wanted = fold(written);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(wanted, fold(name), limit);
    if (distance !== undefined && distance < (best?.distance ?? limit + 1)) best = { name, distance };
  }
  return best?.name;
}

/** Case and separators are the commonest slips: `device_type` means `deviceType`. */
function fold(name: string): string {
  return name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[-_. ]/g, '');
}
