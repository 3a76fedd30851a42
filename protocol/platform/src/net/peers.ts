import { BlockList, isIP } from 'node:net';

/** Distinguishes the addresses of a list from all others. */
export interface Peers {
  has(address: string | undefined): boolean;
}

/**
 * Addresses and networks such as `10.1.2.3`, `10.0.0.0/8` or `fd00::/8`.
 * @throws RangeError naming an entry that is neither
 */
export function peersOf(entries: readonly string[]): Peers {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix, ...more] = entry.split('/');
    const version = isIP(address);
    const bits = Number(prefix ?? (version === 4 ? 32 : 128));
    const inRange = /^\d{1,3}$/.test(prefix ?? '0') && bits <= (version === 4 ? 32 : 128);
    if (version === 0 || !inRange || more.length > 0) {
      throw new RangeError(`${entry} is no address and no network`);
    }
    list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  const known = new Map<string, boolean>();
  const isListed = (address: string): boolean => {
    const version = isIP(address);
    return version > 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
  return {
    has: (address) => {
      if (address === undefined || entries.length === 0) return false;
      const before = known.get(address);
      if (before !== undefined) return before;
      if (known.size >= MAX_KNOWN) known.clear();
      const listed = isListed(address);
      known.set(address, listed);
      return listed;
    },
  };
}

/** Addresses whose answer is remembered at most: each request looks its own up several times. */
const MAX_KNOWN = 1_000;

/** Addresses of this machine alone. */
export const LOOPBACK: Peers = peersOf(['127.0.0.0/8', '::1']);

/** Groups of an IPv6 address that one host has to itself: a network of 64 bits (RFC 6177). */
const NETWORK_GROUPS = 4;

/** A group of an IPv6 address without leading zeros, in small letters: a proxy may write it in another way. */
function shortGroup(group: string): string {
  return Number.parseInt(group, 16).toString(16);
}

/** Who is behind an address, for limits per peer: an IPv4 address, or the network of 64 bits of an IPv6 address. */
export function peerName(address: string | undefined): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address ?? '')?.[1];
  if (mapped !== undefined) return mapped;
  if (address === undefined || isIP(address) !== 6) return address ?? 'unknown';
  const [head = '', tail] = address
    .split('::', 2)
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [shortGroup(group)])));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::`;
}
