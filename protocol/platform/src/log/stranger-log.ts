import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { LOOPBACK, peerName, peersOf } from '../net/peers.js';
import { securityEvent } from './security-events.js';

/** What strangers are given of the log. */
export const STRANGER_LOG = {
  /** Lines of one kind in a minute; the others are counted. */
  linesOfKind: 3,
  /** Lines of all kinds in a minute. */
  lines: 12,
  /** Kinds that are counted apart; the others are one. */
  kinds: 32,
  windowMs: 60_000,
  /** The security log has one line of strangers in this time. */
  summaryMs: 3_600_000,
} as const;

/** What is written to. */
interface StrangerLogDeps {
  readonly log: { info(about: object, text: string): void; warn(about: object, text: string): void };
  readonly clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
}

/** What a stranger did. */
interface StrangerAct {
  /** Of few values, such as a status: lines are limited and counted by it. */
  readonly kind: string;
  /** The address, or the network, that it came from. */
  readonly peer: string;
  /** It was answered as it wished: it is no refusal. */
  readonly isAnswered?: boolean;
}

/**
 * What strangers can cause a line of. The first lines of each kind in a minute are written; the others are counted, and the counts are one line
 * at the end of the minute. Refusals are counted once more, for a line of the security log: at the end of the first minute, then every hour.
 * So a client without credentials cannot fill and rotate the files of a log.
 */
export class StrangerLog {
  readonly #deps: StrangerLogDeps;
  readonly #lines = new Map<string, number>();
  #written = 0;
  #unlogged = new Tally();
  #refused = new Tally();
  #summaryAtMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(deps: StrangerLogDeps) {
    this.#deps = deps;
  }

  /** Writes a line of what a stranger did, or counts it. `about` holds nothing of what was sent. */
  take({ kind, peer, isAnswered = false }: StrangerAct, about: object, text: string): void {
    this.#arm();
    if (!isAnswered) this.#refused.add(kind, peer);
    const lines = this.#lines.get(kind) ?? 0;
    const { linesOfKind, lines: most } = STRANGER_LOG;
    if (lines >= linesOfKind || this.#written >= most) {
      this.#unlogged.add(kind, peer);
      return;
    }
    this.#lines.set(kind, lines + 1);
    this.#written += 1;
    this.#deps.log.info({ ...about, peer }, text);
  }

  /** Writes what was counted. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#endWindow();
    this.#summarize();
  }

  #arm(): void {
    this.#timer ??= this.#deps.clock.setTimer(STRANGER_LOG.windowMs, () => {
      this.#timer = undefined;
      this.#endWindow();
      if (this.#deps.clock.monotonicMs() - this.#summaryAtMs >= STRANGER_LOG.summaryMs) this.#summarize();
      if (this.#refused.count > 0) this.#arm();
    });
  }

  #endWindow(): void {
    const unlogged = this.#unlogged;
    this.#lines.clear();
    this.#written = 0;
    this.#unlogged = new Tally();
    if (unlogged.count > 0) this.#deps.log.warn(unlogged.counts(), 'more requests of strangers');
  }

  #summarize(): void {
    const refused = this.#refused;
    if (refused.count === 0) return;
    this.#refused = new Tally();
    this.#summaryAtMs = this.#deps.clock.monotonicMs();
    const event = securityEvent('strangers-refused');
    this.#deps.log.warn({ ...event, ...refused.counts() }, 'strangers were refused');
  }
}

/** Counts by kind and by class of address: never more than {@link STRANGER_LOG} `kinds` of them. */
class Tally {
  count = 0;
  readonly #kinds = new Map<string, number>();
  readonly #addresses = new Map<string, number>();

  add(kind: string, peer: string): void {
    this.count += 1;
    const isRoom = this.#kinds.has(kind) || this.#kinds.size < STRANGER_LOG.kinds;
    increase(this.#kinds, isRoom ? kind : 'other');
    increase(this.#addresses, addressClass(peer));
  }

  counts(): object {
    const { count } = this;
    return { count, kinds: Object.fromEntries(this.#kinds), addresses: Object.fromEntries(this.#addresses) };
  }
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** `::1`, as the network that limits know it by. */
const LOOPBACK_NETWORK = peerName('::1');
const PRIVATE = peersOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
  'fe80::/10',
]);

function addressClass(peer: string): 'own-machine' | 'private' | 'public' {
  if (peer === LOOPBACK_NETWORK || LOOPBACK.has(peer)) return 'own-machine';
  return PRIVATE.has(peer) ? 'private' : 'public';
}
