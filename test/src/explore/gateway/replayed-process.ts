import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerRequest,
  type AcquirerStatus,
  AcquirerUnreachableError,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { NotSentError } from '@tillbridge/gateway/core/acquirers/iso8583/link/link-deps.js';
import type { LinkTotalsDeps } from '@tillbridge/gateway/core/acquirers/iso8583/totals/link-totals.js';
import {
  type Change,
  CommitConflict,
  type Conflict,
  type Store,
} from '@tillbridge/gateway/kernel/store/store.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { findRows, getRow, rowsAfter, rowsInRange, type StoredRows } from './stored-rows.js';

/** A call of the process to the outside that has no reply yet. */
export type OpenCall = { readonly call: number } & (
  | { readonly kind: 'commit'; readonly changes: readonly Change[] }
  | { readonly kind: 'send'; readonly request: AcquirerRequest }
  | { readonly kind: 'status'; readonly reference: string }
  | { readonly kind: 'question'; readonly question: Parameters<LinkPort['question']>[0] }
  | {
      readonly kind: 'reverse-again';
      readonly reference: string;
      readonly how: Parameters<LinkPort['reverseAgain']>[1];
    }
);

/** A link to an acquirer's host, for what moves no money. */
type LinkPort = LinkTotalsDeps['link'];

/** What a call is answered with. */
export type Reply =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }
  | { readonly kind: 'answer'; readonly answer: AcquirerAnswer }
  | { readonly kind: 'status'; readonly status: AcquirerStatus }
  | { readonly kind: 'unreachable' }
  /** The host's answer to a question; absent: none came in time. */
  | { readonly kind: 'message'; readonly message?: ExchangeMessage }
  | { readonly kind: 'not-sent' };

/** What happens to a process, in its order. `W`: what it is given to do. */
export type Entry<W> =
  | { readonly what: 'start'; readonly work: W }
  | { readonly what: 'reply'; readonly call: number; readonly reply: Reply }
  /** Its monotonic clock goes on. */
  | { readonly what: 'passes'; readonly ms: number };

/** An entry with what the process read of the database until it waited again. */
export type Past<W> = Entry<W> & { readonly reads: readonly unknown[] };

/** Where a process stands after its past. */
export interface Standing<W> {
  readonly past: readonly Past<W>[];
  readonly open: readonly OpenCall[];
  /** Work that has begun and not ended, by its place among all that was started. */
  readonly running: readonly number[];
  /** What ended in the last entry. */
  readonly ended: readonly { readonly work: number; readonly result: unknown }[];
}

/** What a program stands on. */
export interface ProgramPorts {
  readonly store: Store;
  readonly acquirer: Acquirer;
  readonly link: LinkPort;
  readonly clock: Clock;
}

/** Makes a process of the product: gives what does its work. */
export type Program<W> = (ports: ProgramPorts) => (work: W) => Promise<unknown>;

/** The moment in which everything happens, by the wall clock. */
export const NOW_MS = Date.UTC(2026, 10, 20, 12);

/**
 * A process that runs. Asynchronous code becomes a function of values in this way: it is run anew through its whole past, in which each call gets
 * the reply that it got, and then goes on until it waits for the outside again. It must do the same each time.
 */
export class ReplayedProcess<W> {
  readonly #run: Run<W>;
  #past: readonly Past<W>[] = [];

  private constructor(program: Program<W>) {
    this.#run = new Run(program);
  }

  /** A process with a past. @throws Error where it does something else than in its past */
  static async of<W>(program: Program<W>, past: readonly Past<W>[]): Promise<ReplayedProcess<W>> {
    const process = new ReplayedProcess(program);
    for (const { reads, ...before } of past) await process.#run.take(before as Entry<W>, [...reads]);
    process.#past = past;
    return process;
  }

  /** @param rows what it reads of the database in this step, which nothing else changes meanwhile */
  async take(entry: Entry<W>, rows: StoredRows): Promise<Standing<W>> {
    const now = await this.#run.takeNow(entry, rows);
    this.#past = [...this.#past, { ...entry, reads: this.#run.reads }];
    return { ...now, past: this.#past };
  }
}

interface Waiting {
  readonly call: OpenCall;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

class Run<W> {
  reads: unknown[] = [];
  readonly #work: (work: W) => Promise<unknown>;
  readonly #open = new Map<number, Waiting>();
  readonly #running = new Set<number>();
  readonly #ended: { work: number; result: unknown }[] = [];
  #calls = 0;
  #works = 0;
  #passedMs = 0;
  /** Without a passage of time none fires: deadlines are events of the model then. */
  readonly #timers = new Set<{ readonly atMs: number; readonly fire: () => void }>();
  /** What is read: rows as they are now, or replies of the past. */
  #source: { readonly rows: StoredRows } | { readonly replies: unknown[] } = { replies: [] };

  constructor(program: Program<W>) {
    this.#work = program({
      store: this.#store(),
      acquirer: this.#acquirer(),
      link: this.#link(),
      clock: this.#clock(),
    });
  }

  async take(entry: Entry<W>, replies: unknown[]): Promise<void> {
    this.#source = { replies };
    await this.#go(entry);
    if (replies.length > 0) throw new Error('a process reads less than in its past');
    this.#ended.length = 0;
  }

  async takeNow(entry: Entry<W>, rows: StoredRows): Promise<Omit<Standing<W>, 'past'>> {
    this.#source = { rows };
    this.reads = [];
    this.#ended.length = 0;
    await this.#go(entry);
    return {
      open: [...this.#open.values()].map(({ call }) => call),
      running: [...this.#running],
      ended: [...this.#ended],
    };
  }

  async #go(entry: Entry<W>): Promise<void> {
    if (entry.what === 'start') this.#start(entry.work);
    else if (entry.what === 'passes') this.#pass(entry.ms);
    else this.#reply(entry.call, entry.reply);
    // All that follows from it runs before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The timers that are due fire, the one that is due first before the others. */
  #pass(ms: number): void {
    this.#passedMs += ms;
    const due = [...this.#timers].filter(({ atMs }) => atMs <= this.#passedMs);
    for (const timer of due.sort((a, b) => a.atMs - b.atMs)) {
      this.#timers.delete(timer);
      timer.fire();
    }
  }

  #start(work: W): void {
    const number = this.#works;
    this.#works += 1;
    this.#running.add(number);
    const end = (result: unknown): void => {
      this.#running.delete(number);
      this.#ended.push({ work: number, result });
    };
    this.#work(work).then(end, (error: unknown) =>
      end({ error: error instanceof Error ? error.name : 'unknown' }),
    );
  }

  #reply(call: number, reply: Reply): void {
    const waiting = this.#open.get(call);
    if (!waiting) throw new Error(`a process does not make call ${call} of its past`);
    this.#open.delete(call);
    if (reply.kind === 'conflict') waiting.reject(new CommitConflict(reply.conflict));
    else if (reply.kind === 'unreachable') waiting.reject(new AcquirerUnreachableError('no answer in time'));
    else if (reply.kind === 'answer') waiting.resolve(reply.answer as never);
    else if (reply.kind === 'not-sent') waiting.reject(new NotSentError('no line'));
    else if (reply.kind === 'message') waiting.resolve(reply.message as never);
    else if (reply.kind === 'status') waiting.resolve(reply.status as never);
    else waiting.resolve(undefined as never);
  }

  #call<T>(make: (call: number) => OpenCall): Promise<T> {
    const number = this.#calls;
    this.#calls += 1;
    return new Promise<T>((resolve, reject) => {
      this.#open.set(number, { call: make(number), resolve: resolve as (value: never) => void, reject });
    });
  }

  #read<T>(look: (rows: StoredRows) => T): T {
    const source = this.#source;
    if ('replies' in source) {
      if (source.replies.length === 0) throw new Error('a process reads more than in its past');
      return source.replies.shift() as T;
    }
    const found = look(source.rows);
    this.reads.push(found);
    return found;
  }

  #store(): Store {
    const notExplored = (): never => {
      throw new Error('a read that is not explored');
    };
    return {
      commit: (changes) => this.#call((call) => ({ call, kind: 'commit', changes })),
      get: async (table, key) => this.#read((rows) => getRow(rows, table, key)),
      find: async (table, index, values, options) =>
        this.#read((rows) => findRows(rows, table, index, values, options)),
      findAfter: async (table, after) => this.#read((rows) => rowsAfter(rows, table, after)),
      findRange: async (table, index, range) => this.#read((rows) => rowsInRange(rows, table, index, range)),
      countRange: notExplored,
      check: async () => undefined,
      close: async () => undefined,
    };
  }

  #acquirer(): Acquirer {
    return {
      name: 'INTERNAL',
      send: (request) => this.#call((call) => ({ call, kind: 'send', request })),
      status: (reference) => this.#call((call) => ({ call, kind: 'status', reference })),
    };
  }

  #link(): LinkPort {
    return {
      question: (question) => this.#call((call) => ({ call, kind: 'question', question })),
      reverseAgain: (reference, how) =>
        this.#call((call) => ({ call, kind: 'reverse-again', reference, how })),
    };
  }

  #clock(): Clock {
    return {
      nowMs: () => NOW_MS,
      monotonicMs: () => this.#passedMs,
      setTimer: (delayMs, fire) => {
        const timer = { atMs: this.#passedMs + delayMs, fire };
        this.#timers.add(timer);
        return { cancel: () => void this.#timers.delete(timer) };
      },
    };
  }
}
