import { answerMalformed, type FaultySocket } from '@tillbridge/protocol/http/malformed-request.js';
import type { Logger } from 'pino';
import { type EnvelopeSources, envelope } from './envelope.js';
import { ANSWER_HEADERS } from './headers.js';

/** Code of bytes that are no request: "request has structural errors". */
export const NO_REQUEST = '200.100.103';

/** What faults of the HTTP parser are answered with. */
export interface ClientErrorDeps extends EnvelopeSources {
  readonly logger: Pick<Logger, 'info'>;
}

/** Answers what is no HTTP request, or none that ends in time, with the envelope of all other answers, and hangs up. */
export function answerClientError(
  deps: ClientErrorDeps,
  error: NodeJS.ErrnoException,
  socket: FaultySocket,
): void {
  answerMalformed(error, socket, (status) => {
    deps.logger.info({ status, fault: error.code }, 'request that cannot be read');
    return { body: envelope(deps, NO_REQUEST), headers: ANSWER_HEADERS };
  });
}
