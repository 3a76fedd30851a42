import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { callApi, type DeveloperAccess, GatewayRefusedError } from './api-client.js';

export const LISTEN_LIMITS = {
  /** Polling interval, in milliseconds. */
  pollMs: 500,
  /** How long gateway or receiver may fail before the command ends, in milliseconds. */
  giveUpAfterMs: 60_000,
  /** Deliveries fetched at once. */
  batch: 50,
  /** How long the receiver may take, in milliseconds. */
  receiverTimeoutMs: 30_000,
} as const;

/** What a {@link Listener} works with. */
interface ListenerDeps {
  readonly access: DeveloperAccess;
  /** Id of an endpoint without a URL. */
  readonly endpointId: string;
  /** Where deliveries are posted to. */
  readonly forwardTo: string;
  readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  /** Called with a line for people. */
  readonly print: (line: string) => void;
}

/** Gateway or receiver failed for too long. Exit code 2. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

interface Pending {
  readonly sequence: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Fetches deliveries and posts them on, byte for byte. The gateway stores which were acknowledged: the next listener goes on there.
 * A delivery that the receiver does not take is posted again until the time is over.
 */
export class Listener {
  readonly #deps: ListenerDeps;
  #isStopped = false;
  #hasBegun = false;
  #wake: () => void = () => undefined;

  constructor(deps: ListenerDeps) {
    this.#deps = deps;
  }

  /** Listens until it is stopped. @throws ListenError, GatewayRefusedError */
  async run(): Promise<void> {
    const { clock, print } = this.#deps;
    let failingSinceMs: number | undefined;
    while (!this.#isStopped) {
      try {
        await this.#begin();
        const forwarded = await this.round();
        failingSinceMs = undefined;
        if (forwarded > 0) continue;
      } catch (error) {
        if (error instanceof GatewayRefusedError) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        failingSinceMs ??= clock.monotonicMs();
        if (clock.monotonicMs() - failingSinceMs >= LISTEN_LIMITS.giveUpAfterMs)
          throw new ListenError(reason);
        print(`${reason}; tried again`);
      }
      await this.#pause();
    }
  }

  /** Ends after what is on its way. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Posts on what waits now; returns how many were taken. @throws GatewayRefusedError; Error when gateway or receiver fail */
  async round(): Promise<number> {
    const { access, endpointId } = this.#deps;
    const path = `/v1/webhooks/${endpointId}`;
    const limit = String(LISTEN_LIMITS.batch);
    const { deliveries } = await callApi(access, 'GET', `${path}/pending`, { limit });
    const pending = deliveries as readonly Pending[];
    for (const delivery of pending) {
      await this.#forward(delivery);
      const sequence = String(delivery.sequence);
      await callApi(access, 'POST', `${path}/acknowledgement`, { sequence });
    }
    return pending.length;
  }

  /** From now on events are queued for the endpoint. */
  async #begin(): Promise<void> {
    if (this.#hasBegun) return;
    const { access, endpointId, forwardTo, print } = this.#deps;
    await callApi(access, 'POST', `/v1/webhooks/${endpointId}/test`);
    this.#hasBegun = true;
    print(`listening: events go to ${forwardTo}`);
  }

  async #forward({ sequence, headers, body }: Pending): Promise<void> {
    const { forwardTo, print } = this.#deps;
    const signal = AbortSignal.timeout(LISTEN_LIMITS.receiverTimeoutMs);
    const response = await fetch(forwardTo, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`delivery ${sequence}: the receiver answered ${response.status}`);
    print(`delivery ${sequence}: ${response.status}`);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#deps.clock.setTimer(LISTEN_LIMITS.pollMs, resolve);
      this.#wake = () => {
        timer.cancel();
        resolve();
      };
      if (this.#isStopped) this.#wake();
    });
  }
}
