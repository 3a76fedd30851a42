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
  if (cameEncrypted(arrival)) return 'serve';
  const { fromLoopback, fromProxy, forwardedProto } = arrival;
  const isOfProxy = fromProxy && forwardedProto !== undefined;
  return mode === 'test' && fromLoopback && !isOfProxy ? 'serve' : 'redirect';
}

/** Whether the client itself speaks TLS: to us, or to a trusted proxy. */
export function cameEncrypted({
  encrypted,
  fromProxy,
  forwardedProto,
}: Omit<Arrival, 'fromLoopback'>): boolean {
  if (!fromProxy || forwardedProto === undefined) return encrypted;
  // The proxy next to us adds the last one.
  return forwardedProto.split(',').at(-1)?.trim().toLowerCase() === 'https';
}
