import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf } from './mutate.js';
import type { MutationRecord } from './survivors.js';

const FOLDER = 'test/mutation/survivors';

/** What is kept of a module; `undefined` where it has never been measured. */
export function readRecord(root: string, name: string): MutationRecord | undefined {
  const path = join(root, FOLDER, `${fileNameOf(name)}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MutationRecord) : undefined;
}

/** Keeps what a whole run over a module gave. */
export function writeRecord(root: string, name: string, record: MutationRecord): void {
  mkdirSync(join(root, FOLDER), { recursive: true });
  writeFileSync(join(root, FOLDER, `${fileNameOf(name)}.json`), `${JSON.stringify(record, undefined, 2)}\n`);
}
