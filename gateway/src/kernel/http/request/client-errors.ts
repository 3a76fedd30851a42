import { answerMalformed, type FaultySocket } from '@tillbridge/platform/http/malformed-request.js';
import { peerName } from '@tillbridge/platform/net/peers.js';
import { REST_ERRORS } from '../../errors/error-table.js';
import type { HttpDeps } from './deps.js';
import { type EnvelopeDeps, envelope } from './envelope.js';
import { ANSWER_HEADERS } from './headers.js';

/** What faults of the HTTP parser are answered with. */
export interface ClientErrorDeps extends EnvelopeDeps, Pick<HttpDeps, 'strangers'> {
  /** The longest head of a request, in bytes. */
  readonly headerBytes: number;
}

/** Answers what is no HTTP request, or none that ends in time, with the envelope of all other answers, and hangs up. */
export function answerClientError(
  deps: ClientErrorDeps,
  error: NodeJS.ErrnoException,
  socket: FaultySocket & { readonly remoteAddress?: string | undefined },
): void {
  answerMalformed(error, socket, (status) => {
    const act = { kind: `${status} unreadable`, peer: peerName(socket.remoteAddress) };
    deps.strangers.take(act, { status, fault: error.code }, 'request that cannot be read');
    const faults =
      status === 431
        ? [
            {
              name: '',
              value: null,
              message: `the head of a request must not exceed ${deps.headerBytes} bytes`,
            },
          ]
        : [];
    return { body: envelope(deps, REST_ERRORS['not-a-request'][3], faults), headers: ANSWER_HEADERS };
  });
}
