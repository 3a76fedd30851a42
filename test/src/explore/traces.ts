import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bound, MachineName } from './machines.js';

/** A way to a broken promise that was kept: a test replays it. */
export interface KeptTrace {
  readonly machine: MachineName;
  readonly bound: Bound;
  readonly promise: string;
  readonly trace: readonly string[];
}

/** Where traces are kept, from the root of the repository. */
export const TRACES = join('test', 'src', 'explore', 'traces');

/** Keeps a trace; gives the name of its file. */
export function keepTrace(folder: string, kept: KeptTrace): string {
  mkdirSync(folder, { recursive: true });
  const number = 1 + readdirSync(folder).filter((name) => name.startsWith(`${kept.machine}-`)).length;
  const file = join(folder, `${kept.machine}-${number}.json`);
  writeFileSync(file, `${JSON.stringify(kept, undefined, 2)}\n`);
  return file;
}

/** The traces that were kept, by the names of their files. */
export function keptTraces(folder: string): ReadonlyMap<string, KeptTrace> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    names.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as KeptTrace]),
  );
}
