import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Registration } from '../messages/commands.js';

/** Most addresses of one till whose registration is remembered. */
const MAX_PEERS = 16;

/** A registration, and when its till was connected last. */
interface Remembered {
  readonly registration: Registration;
  readonly sinceMs: number;
}

/**
 * The registrations of one till over the end of a connection, by the address that it connects from. Terminals remember theirs, and tills rely on
 * that: after a line that broke they ask again without a new registration.
 */
export class RegistrationMemory {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #forMs: number;
  /** Oldest first. */
  readonly #peers = new Map<string, Remembered>();

  /** @param forMs how long it is remembered after the last message or connection of the till; 0: not at all */
  constructor(clock: Pick<Clock, 'monotonicMs'>, forMs: number) {
    this.#clock = clock;
    this.#forMs = forMs;
  }

  /** The registration that a new connection from this address goes on with. */
  recall(peer: string): Registration | undefined {
    const remembered = this.#peers.get(peer);
    if (!remembered) return undefined;
    const isYoung = this.#clock.monotonicMs() - remembered.sinceMs < this.#forMs;
    if (!isYoung) this.#peers.delete(peer);
    return isYoung ? remembered.registration : undefined;
  }

  /** Remembers the registration of a till from now on; without one, after a log-off, it is forgotten. */
  keep(peer: string, registration: Registration | undefined): void {
    this.#peers.delete(peer);
    if (!registration || this.#forMs === 0) return;
    this.#peers.set(peer, { registration, sinceMs: this.#clock.monotonicMs() });
    for (const oldest of this.#peers.keys()) {
      if (this.#peers.size <= MAX_PEERS) return;
      this.#peers.delete(oldest);
    }
  }
}
