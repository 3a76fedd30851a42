import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type EnvelopeSources, envelope } from './envelope.js';
import { ANSWER_HEADERS } from './headers.js';

/** Code of bytes that are no request: "request has structural errors". */
export const NO_REQUEST = '200.100.103';

/** Statuses of the faults that Node's HTTP parser tells apart; every other is a bad request. */
const STATUSES: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** What faults of the HTTP parser are answered with. */
export interface ClientErrorDeps extends EnvelopeSources {
  readonly logger: Pick<Logger, 'info'>;
}

/** Answers what is no HTTP request, or none that ends in time, with the envelope of all other answers, and hangs up. */
export function answerClientError(
  deps: ClientErrorDeps,
  error: NodeJS.ErrnoException,
  socket: Pick<Duplex, 'writable' | 'end' | 'destroy'>,
): void {
  // Whoever has gone hears nothing.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUSES[error.code ?? ''] ?? 400;
  deps.logger.info({ status, fault: error.code }, 'request that cannot be read');
  socket.end(responseText(status, JSON.stringify(envelope(deps, NO_REQUEST))));
}

function responseText(status: number, body: string): string {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...ANSWER_HEADERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
