import { type AcquirerAnswer, AcquirerUnreachableError } from '../acquirer.js';
import { decideLedger, type LedgerRequest } from './ledger.js';
import type { LedgerBook } from './ledger-book.js';

/** Requests that share one flush to disk at most. */
export const LEDGER_GROUP_LIMIT = 64;
/** Requests that may wait; more are answered as if the acquirer were down. */
export const LEDGER_WAITING_LIMIT = 2_000;

interface Waiting {
  readonly request: LedgerRequest;
  resolve(answer: AcquirerAnswer): void;
  reject(error: Error): void;
}

/** The single writer of the book: requests are decided one after the other, those that waited together are committed together. */
export class LedgerWriter {
  readonly #book: LedgerBook;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(book: LedgerBook) {
    this.#book = book;
  }

  /**
   * Decides and records; resolves once the record is durable.
   * @throws AcquirerUnreachableError nothing was recorded
   */
  record(request: LedgerRequest): Promise<AcquirerAnswer> {
    if (this.#closed) return Promise.reject(new AcquirerUnreachableError('the acquirer simulator is closed'));
    if (this.#waiting.length >= LEDGER_WAITING_LIMIT)
      return Promise.reject(
        new AcquirerUnreachableError(`${LEDGER_WAITING_LIMIT} requests are waiting already`),
      );
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when everything that was handed in until now is recorded or refused. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Records what waits, then takes no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share the first transaction.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#runBatch(this.#waiting.splice(0, LEDGER_GROUP_LIMIT));
    this.#running = undefined;
  }

  async #runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#book.transaction(() => this.#decideAll(batch));
      for (const [at, waiting] of batch.entries()) {
        const answer = answers[at];
        if (answer) waiting.resolve(answer);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown fault';
      for (const waiting of batch)
        waiting.reject(new AcquirerUnreachableError(`the acquirer simulator cannot record: ${reason}`));
    }
  }

  async #decideAll(batch: readonly Waiting[]): Promise<readonly AcquirerAnswer[]> {
    const answers: AcquirerAnswer[] = [];
    for (const { request } of batch) {
      const view = await this.#book.view(request.acquirerReference, request.originalReference);
      const decision = decideLedger(request, view);
      await this.#book.write(decision);
      answers.push(decision.answer);
    }
    return answers;
  }
}
