/** Names and addresses under which a server may be called. */
interface OwnHosts {
  /** Address of the server's end of the connection. */
  readonly localAddress: string | undefined;
  /** Names in addition to `localhost` and that address. */
  readonly hostNames: readonly string[];
  /** Origins of other sites whose pages may call, such as `https://till.example`. */
  readonly origins?: readonly string[];
}

/** What is foreign about a request. */
type HostFault = 'wrong-host' | 'wrong-origin';

/**
 * Whether a browser may have been led here by a foreign page; undefined without a sign of it. A name that a foreign site points to this
 * server (DNS rebinding) is no name of ours, and a page of another origin has that in `Origin` (RFC 6454 §7). Both are absent from programs
 * of older kinds; those are no browsers.
 */
export function hostFault(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  own: OwnHosts,
): HostFault | undefined {
  if (host !== undefined && !isOwnName(nameIn(host), own)) return 'wrong-host';
  if (origin === undefined || own.origins?.includes(origin)) return undefined;
  const authority = /^https?:\/\/([^/?#@]+)$/i.exec(origin)?.[1];
  return authority !== undefined && authority.toLowerCase() === host?.toLowerCase()
    ? undefined
    : 'wrong-origin';
}

/** The name or address of `name:port`, lower case; IPv6 without brackets. */
function nameIn(authority: string): string {
  const [, bracketed, name] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(authority) ?? [];
  return (bracketed ?? name ?? '').toLowerCase().replace(/\.$/, '');
}

function isOwnName(name: string, { localAddress = '', hostNames }: OwnHosts): boolean {
  const address = localAddress.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (name !== '' && name === address) return true;
  if (isLoopback(address) && (name === 'localhost' || isLoopback(name))) return true;
  return hostNames.some((own) => own.toLowerCase() === name);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);
}
