import { readFileSync } from 'node:fs';

/** Memory of a process that is resident, in bytes (Linux). */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN);
}

/** How often garbage is collected before memory is looked at: what one collection frees lets the next free more. */
const COLLECTIONS = 4;
const APART_MS = 500;

/** The same of a process that was started with `COLLECT_GARBAGE`, after it has collected its garbage. */
export async function residentBytesAfterCollection(pid: number): Promise<number> {
  for (let at = 0; at < COLLECTIONS; at += 1) {
    process.kill(pid, 'SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, APART_MS));
  }
  return residentBytes(pid);
}
