/** Statuses of what is no HTTP request, or none that ends in time, and their reason phrases (RFC 9110 §15.5, RFC 6585 §5). */
const REASONS = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
} as const;
export type MalformedStatus = keyof typeof REASONS;

/** Faults that Node's HTTP parser distinguishes; every other is a bad request. */
const STATUSES: Readonly<Record<string, MalformedStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** The calls of a socket that are needed: this package does no I/O itself. */
export interface FaultySocket {
  readonly writable: boolean;
  readonly end: (text: string) => unknown;
  readonly destroy: () => unknown;
}

/** A server's answer to a malformed request, in the form of all its other answers. */
interface MalformedAnswer {
  /** Sent as JSON. */
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers what Node's HTTP parser could not read, in place of Node's own answer, and closes the connection. A client that has gone gets no answer.
 * @param fault what the event `clientError` brings
 * @param answer makes the answer for a status
 */
export function answerMalformed(
  fault: { readonly code?: string | undefined },
  socket: FaultySocket,
  answer: (status: MalformedStatus) => MalformedAnswer,
): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUSES[fault.code ?? ''] ?? 400;
  socket.end(responseText(status, answer(status)));
}

/** Whether a request lacks the `Host` that HTTP/1.1 demands (RFC 9112 §3.2): Node's own answer to it is switched off. */
export function lacksHost({
  headers,
  httpVersion,
}: {
  readonly headers: { readonly host?: string | undefined };
  readonly httpVersion: string;
}): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

function responseText(status: MalformedStatus, { body, headers }: MalformedAnswer): string {
  const text = JSON.stringify(body);
  const all = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': new TextEncoder().encode(text).length,
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines.join('')}\r\n${text}`;
}
