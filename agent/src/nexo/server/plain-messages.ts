import { hostFault } from '@tillbridge/platform/http/host-check.js';
import { LOOPBACK } from '@tillbridge/platform/net/peers.js';
import { NexoError } from '../messages/nexo-error.js';

/** What is known of a request without opening its message. */
export interface PlainRequest {
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly localAddress?: string | undefined;
  };
  readonly headers: { readonly host?: string | undefined; readonly origin?: string | undefined };
}

/**
 * A message in clear proves nothing: it is taken in a test, from this machine, and never from a page in a browser.
 * @param plain whether the configuration takes messages in clear at all
 * @throws NexoError `plain-refused`
 */
export function refusePlain(plain: boolean, { socket, headers }: PlainRequest): void {
  const isLocal = LOOPBACK.has(socket.remoteAddress ?? '');
  const own = { localAddress: socket.localAddress, hostNames: [] };
  if (plain && isLocal && headers.origin === undefined && !hostFault(headers, own)) return;
  throw new NexoError('plain-refused', 'the message must be enciphered under the key of this agent');
}
