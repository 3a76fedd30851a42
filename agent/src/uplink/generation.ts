import { join } from 'node:path';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { IdentityError } from './identity.js';

/** Name of the file in the agent's home that counts the lives of its journal. */
export const GENERATION_FILE = 'journal-generation';

/** The generation of a journal that was never restored. */
export const FIRST_GENERATION = 1;

/**
 * The generation of the home's journal (agent/docs/restore.md); `undefined` where the home never had a journal with a row. A home that has a
 * generation and no rows has lost its journal: that is never taken for a new one.
 * @throws IdentityError when the file holds anything but a count
 */
export function readGeneration(home: string): number | undefined {
  const path = join(home, GENERATION_FILE);
  const text = readIfThere(path)?.toString().trim();
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new IdentityError(`${path} must hold the count of this journal's lives, a whole number from 1`);
}

/** Replaced in one step: half a count would fence the agent for ever. */
export function writeGeneration(home: string, generation: number): void {
  replaceFile(join(home, GENERATION_FILE), `${generation}\n`);
}
