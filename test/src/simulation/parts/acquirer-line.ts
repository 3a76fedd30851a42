import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerRequest,
  type AcquirerStatus,
  AcquirerUnreachableError,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { AcquirerFaultRates } from '../kernel/fault-rates.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';

/** Share of the answers to refunds, and of approvals for a part, that get lost in addition to the fault rates. */
const RARE_ANSWER_LOST = 0.2;

/** How long the gateway waits for the acquirer. */
const PATIENCE_MS = 20_000;

/** What the line runs between. */
export interface AcquirerLineDeps extends TracedDeps {
  readonly name: string;
  readonly process: SimProcess;
  readonly faultRates: () => AcquirerFaultRates;
  /** The acquirer's host; undefined while it is down. */
  readonly host: () => Acquirer | undefined;
  /** The host answered, and the gateway will never receive the answer. */
  readonly answerLost: (request: AcquirerRequest, answer: AcquirerAnswer) => void;
}

/** One call of the host. */
interface HostCall<T> {
  readonly what: string;
  readonly work: (host: Acquirer) => Promise<T>;
  /** Answers of this kind are rare: they get lost more often than others. */
  readonly isRare: (answer: T) => boolean;
  /** The host answered, and the gateway will never receive the answer. */
  readonly lost: (answer: T) => void;
}

/** The gateway's line to the acquirer: requests and answers get lost, come late and come twice. */
export class AcquirerLine implements Acquirer {
  readonly name: string;
  readonly #deps: AcquirerLineDeps;
  /** A separate branch: its draws leave the rest of the simulation as it was. */
  readonly #rare: SeededRandom;

  constructor(deps: AcquirerLineDeps) {
    this.#deps = deps;
    this.name = deps.name;
    this.#rare = deps.random.branch('rare answers');
  }

  send(request: AcquirerRequest): Promise<AcquirerAnswer> {
    return this.#call({
      what: `acquirer ${request.kind} ${request.acquirerReference.slice(0, 6)}`,
      work: (host) => host.send(request),
      isRare: ({ approved, approvedMinor }) =>
        approved && (approvedMinor !== undefined || request.kind === 'refund'),
      lost: (answer) => this.#deps.answerLost(request, answer),
    });
  }

  status(acquirerReference: string): Promise<AcquirerStatus> {
    return this.#call({
      what: `acquirer status ${acquirerReference.slice(0, 6)}`,
      work: (host) => host.status(acquirerReference),
      isRare: () => false,
      lost: () => undefined,
    });
  }

  #call<T>(call: HostCall<T>): Promise<T> {
    return this.#deps.process.call(call.what, () => this.#carry(call));
  }

  #carry<T>({ what, work, isRare, lost }: HostCall<T>): Promise<T> {
    const { clock, random, trace, faultRates, process } = this.#deps;
    const { fastestMs, slowestMs, dropRequest, dropAnswer, duplicate, late } = faultRates();
    const losesRare = (answer: T): boolean =>
      dropAnswer > 0 && isRare(answer) && this.#rare.chance(RARE_ANSWER_LOST);
    const deliveryStatus = {
      dropped: random.chance(dropRequest),
      unanswered: random.chance(dropAnswer),
      twice: random.chance(duplicate),
      late: random.chance(late),
      thereMs: random.whole(fastestMs, slowestMs),
      backMs: random.whole(fastestMs, slowestMs),
    };
    return new Promise((resolve, reject) => {
      let givenUp = false;
      const timer = clock.setTimer(PATIENCE_MS, () => {
        givenUp = true;
        trace.add('acquirer', `silent about ${what}`);
        reject(new AcquirerUnreachableError('no answer in time'));
      });
      const lostMs = deliveryStatus.late ? PATIENCE_MS + deliveryStatus.thereMs * 4 : deliveryStatus.thereMs;
      if (deliveryStatus.dropped) return;
      clock.setTimer(lostMs, () => {
        this.#deliver(work).then(
          (answer) => {
            if (deliveryStatus.unanswered || deliveryStatus.late || losesRare(answer)) {
              lost(answer);
              return;
            }
            clock.setTimer(deliveryStatus.backMs, () => {
              if (givenUp || !process.alive) lost(answer);
              timer.cancel();
              resolve(answer);
            });
          },
          (error: unknown) => {
            timer.cancel();
            reject(error);
          },
        );
      });
      if (deliveryStatus.twice)
        clock.setTimer(lostMs + deliveryStatus.backMs, () => void this.#deliver(work).catch(() => undefined));
    });
  }

  async #deliver<T>(work: HostCall<T>['work']): Promise<T> {
    const host = this.#deps.host();
    if (!host) throw new AcquirerUnreachableError('refused');
    return work(host);
  }
}
