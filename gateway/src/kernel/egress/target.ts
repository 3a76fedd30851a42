import { isIP } from 'node:net';
import type { Peers } from '@tillbridge/platform/net/peers.js';
import { mayConnect } from './address-rules.js';
import { EgressError } from './egress-error.js';

/** An address that a name stands for. */
interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

/** What requests are held to. */
export interface EgressRules {
  /** Networks in addition to the public ones. */
  readonly allowed: Peers;
  /** Plain HTTP is taken too. */
  readonly plainHttp: boolean;
}

/** A URL that may be called, and the addresses that were checked: nothing else may be connected to. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly ResolvedAddress[];
}

/** The URL of a request. @throws EgressError refused-url */
export function readUrl(text: string, { plainHttp }: EgressRules): URL {
  if (!URL.canParse(text)) throw new EgressError('refused-url', 'not an absolute URL');
  const url = new URL(text);
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && !(plainHttp && protocol === 'http:'))
    throw new EgressError('refused-url', `${protocol.slice(0, -1)} is not taken, https is`);
  if (username !== '' || password !== '')
    throw new EgressError('refused-url', 'a URL with a user is not taken');
  return url;
}

/**
 * Resolves the host of a URL and checks every address: a name with one private address is refused, whichever would be connected to.
 * @throws EgressError unusable-host, whatever the reason: a merchant must not read the names of our network by it; the message is the operator's
 */
export async function targetOf(url: URL, rules: EgressRules, resolve: Resolve): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family > 0 ? [{ address: host, family }] : await resolved(host, resolve);
  if (!addresses.every(({ address }) => mayConnect(address, rules.allowed)))
    throw new EgressError('unusable-host', `${host} is, or stands for, an address of a private network`);
  return { url, addresses };
}

async function resolved(host: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new EgressError('unusable-host', `${host} has no address`);
  return addresses;
}
