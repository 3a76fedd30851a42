import { isIPv6 } from 'node:net';
import type { BridgeLimits } from './bridge-limits.js';

/** An IPv6 network of this many bits is one peer: its owner has all addresses in it. */
const NETWORK_GROUPS = 4;

/** Counts the sockets without a proven Hello, of all peers and of each. */
export class UnprovenSockets {
  readonly #limits: Pick<BridgeLimits, 'maxUnprovenSockets' | 'maxUnprovenOfPeer'>;
  readonly #ofPeer = new Map<string, number>();
  #count = 0;

  constructor(limits: Pick<BridgeLimits, 'maxUnprovenSockets' | 'maxUnprovenOfPeer'>) {
    this.#limits = limits;
  }

  /** Whether this peer may have one more. */
  hasRoomFor(peer: string): boolean {
    const { maxUnprovenSockets, maxUnprovenOfPeer } = this.#limits;
    return this.#count < maxUnprovenSockets && (this.#ofPeer.get(networkOf(peer)) ?? 0) < maxUnprovenOfPeer;
  }

  /** Counts a new socket. */
  add(peer: string): void {
    this.#change(networkOf(peer), 1);
  }

  /** Counts one less: it was proven, or has ended. */
  remove(peer: string): void {
    this.#change(networkOf(peer), -1);
  }

  #change(network: string, by: 1 | -1): void {
    const count = (this.#ofPeer.get(network) ?? 0) + by;
    this.#count += by;
    if (count > 0) this.#ofPeer.set(network, count);
    else this.#ofPeer.delete(network);
  }
}

/** An IPv4 address itself, of an IPv6 address its /64 network. */
export function networkOf(peer: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(peer)?.[1];
  if (mapped !== undefined) return mapped;
  const address = peer.split('%', 1)[0] ?? '';
  if (!isIPv6(address)) return peer;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  const all = [...groups, ...zeros, ...rest].slice(0, NETWORK_GROUPS);
  return `${all.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
