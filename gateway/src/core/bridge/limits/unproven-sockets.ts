import { Pace } from '@tillbridge/platform/net/pace.js';
import { peerName } from '@tillbridge/platform/net/peers.js';
import type { BridgeLimits } from './bridge-limits.js';

/** Peers that are remembered because sockets of theirs proved nothing; beyond, the first is forgotten. */
const MAX_SILENT_PEERS = 10_000;

type Limits = Pick<
  BridgeLimits,
  'maxUnprovenSockets' | 'maxUnprovenOfPeer' | 'silentPeerSocketsPerSecond' | 'silentPeerSocketsBurst'
>;

/** Peers that are remembered because a socket of theirs has proved itself. */
const MAX_PROVED_PEERS = 20_000;

/**
 * Counts the sockets without a proven Hello, of all peers and of each. Peers of which one has proved itself before have as many places as all
 * others together, which these cannot take.
 */
export class UnprovenSockets {
  readonly #limits: Limits;
  readonly #ofPeer = new Map<string, number>();
  /** Peers of which a socket has ended without a proof, and none has proved itself since. */
  readonly #silent = new Map<string, Pace>();
  /** Peers of which a socket has proved itself, the least lately first. */
  readonly #proved = new Set<string>();
  /** Sockets of peers that have proved themselves, and of strangers. */
  readonly #counts = { proved: 0, strange: 0 };

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether this peer may have one more. */
  hasRoomFor(peer: string): boolean {
    const { maxUnprovenSockets, maxUnprovenOfPeer } = this.#limits;
    const network = peerName(peer);
    const { [this.#kindOf(network)]: count } = this.#counts;
    return count < maxUnprovenSockets && (this.#ofPeer.get(network) ?? 0) < maxUnprovenOfPeer;
  }

  /** Counts a new socket. */
  add(peer: string): void {
    this.#change(peerName(peer), 1);
  }

  /** Counts one less: it never became a socket. */
  remove(peer: string): void {
    this.#change(peerName(peer), -1);
  }

  /** Counts one less: its Hello was proven. */
  proved(peer: string): void {
    const network = peerName(peer);
    this.#silent.delete(network);
    this.remove(peer);
    this.#rememberProved(network);
  }

  /** Counts one less: it has ended without a proof. New sockets of its peer come slowly from now on. */
  endedSilent(peer: string): void {
    this.remove(peer);
    const network = peerName(peer);
    if (this.#silent.has(network)) return;
    const { silentPeerSocketsPerSecond: perSecond, silentPeerSocketsBurst: burst } = this.#limits;
    this.#silent.set(network, new Pace({ perSecond, burst }));
    if (this.#silent.size > MAX_SILENT_PEERS) {
      const [first = ''] = this.#silent.keys();
      this.#silent.delete(first);
    }
  }

  /** Counts a new socket of a peer; how long it has to wait, in milliseconds. `nowMs` is of a clock that only grows. */
  waitMs(peer: string, nowMs: number): number {
    return this.#silent.get(peerName(peer))?.count(nowMs) ?? 0;
  }

  /** Whether new sockets of a peer come slowly. */
  isSilent(peer: string): boolean {
    return this.#silent.has(peerName(peer));
  }

  #kindOf(network: string): 'proved' | 'strange' {
    return this.#proved.has(network) ? 'proved' : 'strange';
  }

  #rememberProved(network: string): void {
    if (this.#proved.delete(network)) {
      this.#proved.add(network);
      return;
    }
    const count = this.#ofPeer.get(network) ?? 0;
    this.#counts.strange -= count;
    this.#counts.proved += count;
    this.#proved.add(network);
    if (this.#proved.size <= MAX_PROVED_PEERS) return;
    const [first = ''] = this.#proved;
    this.#proved.delete(first);
    this.#counts.proved -= this.#ofPeer.get(first) ?? 0;
    this.#counts.strange += this.#ofPeer.get(first) ?? 0;
  }

  #change(network: string, by: 1 | -1): void {
    const count = (this.#ofPeer.get(network) ?? 0) + by;
    this.#counts[this.#kindOf(network)] += by;
    if (count > 0) this.#ofPeer.set(network, count);
    else this.#ofPeer.delete(network);
  }
}
