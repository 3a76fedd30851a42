/** How a request came. */
interface Arrival {
  /** The connection itself is TLS. */
  readonly encrypted: boolean;
  /** The connection comes from this machine. */
  readonly fromLoopback: boolean;
  /** The connection comes from a proxy that we trust. */
  readonly fromProxy: boolean;
  /** X-Forwarded-Proto, as sent. */
  readonly forwardedProto: string | undefined;
}

/**
 * Whether a request is served or redirected to https. The scheme that a trusted proxy forwards counts before the connection itself;
 * no other peer is trusted. Plain HTTP is for this machine in test mode (every request is sent over SSL).
 */
export function decideTransport(mode: 'test' | 'live', arrival: Arrival): 'serve' | 'redirect' {
  const { encrypted, fromLoopback, fromProxy, forwardedProto } = arrival;
  if (fromProxy && forwardedProto !== undefined) {
    // The proxy next to us adds the last one.
    const protocol = forwardedProto.split(',').at(-1)?.trim().toLowerCase();
    return protocol === 'https' ? 'serve' : 'redirect';
  }
  if (encrypted) return 'serve';
  return mode === 'test' && fromLoopback ? 'serve' : 'redirect';
}
