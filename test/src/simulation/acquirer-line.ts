import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerRequest,
  type AcquirerStatus,
  AcquirerUnreachableError,
} from '@tillbridge/gateway/acquirers/acquirer.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimProcess } from './sim-process.js';
import type { Trace } from './trace.js';
import type { AcquirerWeather } from './weather.js';

/** How long the gateway waits for the acquirer. */
const PATIENCE_MS = 20_000;

/** What the line runs between. */
export interface AcquirerLineParts {
  readonly name: string;
  readonly process: SimProcess;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly weather: () => AcquirerWeather;
  /** The acquirer's host; undefined while it is down. */
  readonly host: () => Acquirer | undefined;
}

/** The gateway's line to the acquirer: requests and answers get lost, come late and come twice. */
export class AcquirerLine implements Acquirer {
  readonly name: string;
  readonly #parts: AcquirerLineParts;

  constructor(parts: AcquirerLineParts) {
    this.#parts = parts;
    this.name = parts.name;
  }

  send(request: AcquirerRequest): Promise<AcquirerAnswer> {
    const about = `${request.kind} ${request.acquirerReference.slice(0, 6)}`;
    return this.#ask(`acquirer ${about}`, (host) => host.send(request));
  }

  status(acquirerReference: string): Promise<AcquirerStatus> {
    return this.#ask(`acquirer status ${acquirerReference.slice(0, 6)}`, (host) =>
      host.status(acquirerReference),
    );
  }

  #ask<T>(what: string, call: (host: Acquirer) => Promise<T>): Promise<T> {
    return this.#parts.process.call(what, () => this.#carry(what, call));
  }

  #carry<T>(what: string, call: (host: Acquirer) => Promise<T>): Promise<T> {
    const { clock, random, trace, weather } = this.#parts;
    const { fastestMs, slowestMs, dropRequest, dropAnswer, duplicate, late } = weather();
    const fate = {
      dropped: random.chance(dropRequest),
      unanswered: random.chance(dropAnswer),
      twice: random.chance(duplicate),
      late: random.chance(late),
      thereMs: random.whole(fastestMs, slowestMs),
      backMs: random.whole(fastestMs, slowestMs),
    };
    return new Promise((resolve, reject) => {
      const timer = clock.setTimer(PATIENCE_MS, () => {
        trace.add('acquirer', `silent about ${what}`);
        reject(new AcquirerUnreachableError('no answer in time'));
      });
      const lostMs = fate.late ? PATIENCE_MS + fate.thereMs * 4 : fate.thereMs;
      if (fate.dropped) return;
      clock.setTimer(lostMs, () => {
        this.#deliver(call).then(
          (answer) => {
            if (fate.unanswered || fate.late) return;
            clock.setTimer(fate.backMs, () => {
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
      if (fate.twice)
        clock.setTimer(lostMs + fate.backMs, () => void this.#deliver(call).catch(() => undefined));
    });
  }

  async #deliver<T>(call: (host: Acquirer) => Promise<T>): Promise<T> {
    const host = this.#parts.host();
    if (!host) throw new AcquirerUnreachableError('refused');
    return call(host);
  }
}
