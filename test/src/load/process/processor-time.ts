import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of processor that a Node.js process has used, by what its threads do (Linux). */
export interface ProcessorTime {
  /** The thread of JavaScript. */
  readonly main: number;
  /** V8's own: collector and compiler. */
  readonly collector: number;
  /** All others: those of the database, of files and of ciphers. */
  readonly workers: number;
}

/** Threads that Node.js starts after the main one and before all others: the timer of V8's tasks, and its four workers (`--v8-pool-size`). */
const V8_THREADS = 5;

/** What the threads of a process have used so far. Not every version names the threads: the order in which they began identifies them. */
export function processorTime(pid: number): ProcessorTime {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  const usedUs = threads.sort((a, b) => a - b).map((thread) => usedBy(pid, thread));
  const sum = (from: number, to?: number): number => usedUs.slice(from, to).reduce((all, us) => all + us, 0);
  return { main: sum(0, 1), collector: sum(1, 1 + V8_THREADS), workers: sum(1 + V8_THREADS) };
}

/** What was used between two looks, for each of a number of requests. */
export function perRequest(before: ProcessorTime, after: ProcessorTime, requests: number): ProcessorTime {
  return {
    main: (after.main - before.main) / requests,
    collector: (after.collector - before.collector) / requests,
    workers: (after.workers - before.workers) / requests,
  };
}

/** The first number of `schedstat` is the time on a processor in nanoseconds. */
function usedBy(pid: number, thread: number): number {
  const [ns = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1);
  return Number(ns) / 1_000;
}
