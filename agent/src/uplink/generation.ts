import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { IdentityError } from './identity.js';

/** Name of the file in the agent's home that counts the copies of its journal. */
export const GENERATION_FILE = 'journal-generation';

/**
 * The generation of this copy of the journal (architecture §7). A journal that is empty although there was one before
 * was lost or replaced: its streams begin anew, so a new generation begins, and the gateway fences the old one.
 * @throws IdentityError when the file holds anything but a count
 */
export function currentGeneration(home: string, journalIsEmpty: boolean): number {
  const path = join(home, GENERATION_FILE);
  const known = readCount(path);
  if (known !== undefined && !journalIsEmpty) return known;
  const generation = (known ?? 0) + 1;
  writeCount(path, generation);
  return generation;
}

function readCount(path: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new IdentityError(`${path} must hold the count of this journal's copies, a whole number from 1`);
}

/** Replaced in one step: half a count would fence the agent for ever. */
function writeCount(path: string, count: number): void {
  const next = `${path}.new`;
  const file = openSync(next, 'w', 0o600);
  try {
    writeSync(file, `${count}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}
