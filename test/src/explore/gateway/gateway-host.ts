import type { AcquirerAnswer, AcquirerRequest } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { canonicalText, type Parts } from '../core/canonical.js';
import {
  type Entry,
  type OpenCall,
  type Past,
  type Program,
  ReplayedProcess,
  type Standing,
} from './replayed-process.js';
import type { StoredRows } from './stored-rows.js';

/** A process of a gateway as a value: its past since it last had nothing to do, and what it waits for. */
export interface ProcessState<W> {
  readonly past: readonly Past<W>[];
  readonly open: readonly OpenCall[];
  readonly running: readonly number[];
  /** Answers of the acquirer that are on their way, by call. */
  readonly answers: Readonly<Record<number, AcquirerAnswer>>;
}

/** Processes that are kept as they stand. */
const MOST_STANDING = 2_000;

/** A process that has just begun, or has nothing to do. */
export const IDLE: ProcessState<never> = { past: [], open: [], running: [], answers: {} };

/** What a step of a process leads to. */
export interface Stepped<W> {
  readonly process: ProcessState<W>;
  /** Results of work that ended, and the work. */
  readonly ended: readonly { readonly work: W; readonly result: unknown }[];
}

/** Runs processes of the product step by step; a step that was made before is not made again. */
export class ProcessHost<W> {
  readonly #programOf: (seed: string) => Program<W>;
  readonly #parts: Parts;
  readonly #known = new Map<string, Standing<W>>();
  /** Processes that stand after a past: the first step from there needs no replay. */
  readonly #standing = new Map<number, ReplayedProcess<W>>();

  /** @param programOf the program of a process whose random bytes follow from the seed */
  constructor(programOf: (seed: string) => Program<W>, parts: Parts) {
    this.#programOf = programOf;
    this.#parts = parts;
  }

  /** How many steps were carried out by running the code of the product. */
  get runs(): number {
    return this.#known.size;
  }

  /** @param keepsPast whether what the process has in memory counts also while it does nothing */
  async step(
    { past, answers }: ProcessState<W>,
    entry: Entry<W>,
    rows: StoredRows,
    keepsPast = false,
  ): Promise<Stepped<W>> {
    const standing = await this.#after(past, entry, rows);
    const { open, running, ended } = standing;
    const works = standing.past.flatMap((each) => (each.what === 'start' ? [each.work] : []));
    const isIdle = open.length === 0 && running.length === 0 && !keepsPast;
    const left = Object.entries(answers).filter(([call]) => open.some((each) => each.call === Number(call)));
    const process = { past: standing.past, open, running, answers: Object.fromEntries(left) };
    return {
      process: this.#parts.one(isIdle ? (IDLE as ProcessState<W>) : process),
      ended: ended.flatMap(({ work, result }) => {
        const which = works[work];
        return which === undefined ? [] : [{ work: which, result }];
      }),
    };
  }

  async #after(past: readonly Past<W>[], given: Entry<W>, rows: StoredRows): Promise<Standing<W>> {
    const entry = this.#parts.one(given);
    const before = this.#parts.number(past);
    const key = `${before}|${this.#parts.number(entry)}|${this.#parts.number(rows)}`;
    const known = this.#known.get(key);
    if (known) return known;
    const seed = canonicalText({ ...(past[0] ?? entry), reads: undefined });
    const process = this.#standing.get(before) ?? (await ReplayedProcess.of(this.#programOf(seed), past));
    this.#standing.delete(before);
    const taken = await process.take(entry, rows);
    const standing = { ...taken, past: this.#parts.one(taken.past), open: this.#parts.one(taken.open) };
    this.#known.set(key, standing);
    if (this.#standing.size < MOST_STANDING) this.#standing.set(this.#parts.number(standing.past), process);
    return standing;
  }
}

/** Requests to the acquirer that were sent and have no answer: a process that ends leaves them on their way. */
export function sentRequests({ open, answers }: ProcessState<unknown>): readonly AcquirerRequest[] {
  return open.flatMap((each) => (each.kind === 'send' && !answers[each.call] ? [each.request] : []));
}
