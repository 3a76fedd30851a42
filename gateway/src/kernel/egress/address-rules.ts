import { type Peers, peersOf } from '@tillbridge/platform/net/peers.js';

/** IPv4 that is not one place on the Internet (IANA, IPv4 Special-Purpose Address Registry; multicast; reserved). */
const SPECIAL_IPV4 = peersOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** IPv6 that is one place on the Internet (RFC 4291 §2.4) … */
const UNICAST_IPV6 = peersOf(['2000::/3']);
/** … but for tunnels to IPv4, identifiers and documentation (IANA, IPv6 Special-Purpose Address Registry). */
const SPECIAL_IPV6 = peersOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an address is one place on the Internet: no private network, no link, no tunnel, no group. */
function isPublic(address: string): boolean {
  if (address.includes(':')) return UNICAST_IPV6.has(address) && !SPECIAL_IPV6.has(address);
  return !SPECIAL_IPV4.has(address);
}

/** Whether the gateway may connect to an address: a public one, or one of a network that the operator allows. Pure. */
export function mayConnect(address: string, allowed: Peers): boolean {
  // A zone belongs to a link of this machine.
  if (address.includes('%')) return false;
  return isPublic(address) || allowed.has(address);
}
