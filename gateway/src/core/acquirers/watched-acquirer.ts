import type { Clock } from '@tillbridge/wire/seams/clock.js';
import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerRequest,
  type AcquirerStatus,
  AcquirerUnreachableError,
} from './acquirer.js';

/** Calls have failed for so long without an answer between them: the acquirer is away. Milliseconds. */
export const ACQUIRER_SILENCE_MS = 60_000;

/** An acquirer that reports whether it answers at all. */
export class WatchedAcquirer implements Acquirer {
  readonly name: string;
  readonly #acquirer: Acquirer;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Monotonic milliseconds of the first failed call since the last answer. */
  #failingSinceMs: number | undefined;

  constructor(acquirer: Acquirer, clock: Pick<Clock, 'monotonicMs'>) {
    this.name = acquirer.name;
    this.#acquirer = acquirer;
    this.#clock = clock;
  }

  /** True while the acquirer has answered no request for {@link ACQUIRER_SILENCE_MS}. */
  get isSilent(): boolean {
    const since = this.#failingSinceMs;
    return since !== undefined && this.#clock.monotonicMs() - since >= ACQUIRER_SILENCE_MS;
  }

  send(request: AcquirerRequest): Promise<AcquirerAnswer> {
    return this.#watch(this.#acquirer.send(request), (answer) => answer.isStandIn !== true);
  }

  status(acquirerReference: string): Promise<AcquirerStatus> {
    return this.#watch(this.#acquirer.status(acquirerReference));
  }

  async #watch<T>(answering: Promise<T>, isItsOwn: (answer: T) => boolean = () => true): Promise<T> {
    try {
      const answer = await answering;
      if (isItsOwn(answer)) this.#failingSinceMs = undefined;
      else this.#failed();
      return answer;
    } catch (error) {
      if (error instanceof AcquirerUnreachableError) this.#failed();
      throw error;
    }
  }
  #failed(): void {
    this.#failingSinceMs ??= this.#clock.monotonicMs();
  }
}
