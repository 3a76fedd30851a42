import { GroupCommit, type Waiting } from '@tillbridge/platform/sqlite/group-commit.js';
import { type AcquirerAnswer, AcquirerUnreachableError } from '../acquirer.js';
import type { LedgerRequest } from './ledger.js';
import type { LedgerStore } from './ledger-store.js';

/** Requests that share one flush to disk at most. */
const LEDGER_GROUP_LIMIT = 64;
/** Requests that may wait; more are answered as if the acquirer were down. */
const LEDGER_WAITING_LIMIT = 2_000;

type PendingRequest = Waiting<LedgerRequest, AcquirerAnswer>;

/** The single writer of the ledger: requests are decided one after the other, those that waited together are committed together. */
export class LedgerWriter {
  readonly #ledger: LedgerStore;
  readonly #queue: GroupCommit<LedgerRequest, AcquirerAnswer>;

  constructor(ledger: LedgerStore) {
    this.#ledger = ledger;
    this.#queue = new GroupCommit(
      (batch) => this.#runBatch(batch),
      { maxBatch: LEDGER_GROUP_LIMIT, maxWaiting: LEDGER_WAITING_LIMIT },
      (fault, detail) => new AcquirerUnreachableError(`the acquirer simulator is ${fault}: ${detail}`),
    );
  }

  /**
   * Decides and records; resolves once the record is durable.
   * @throws AcquirerUnreachableError nothing was recorded
   */
  record(request: LedgerRequest): Promise<AcquirerAnswer> {
    return this.#queue.add(request);
  }

  /** Resolves when everything that was handed in until now is recorded or refused. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  /** Records what waits, then takes no more. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #runBatch(batch: readonly PendingRequest[]): Promise<void> {
    try {
      const answers = await this.#ledger.record(batch.map(({ work }) => work));
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
}
