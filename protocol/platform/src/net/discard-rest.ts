import type { IncomingMessage } from 'node:http';

/** How much of a body is read and dropped whose request is answered already. */
export interface DiscardLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** What a signed-in client may send in vain. */
export const DISCARD_LIMITS: DiscardLimits = { bytes: 67_108_864, ms: 10_000 };

/**
 * Reads and drops what is still to come of the body of a refused request. Many clients read no answer before they have written all: where their
 * connection ends first, they report a broken pipe, and never see why they are refused. A rest that is longer, or slower, ends the connection.
 * @returns resolves once the answer may be sent: at once, or where Node ends the connection with the answer, when nothing more is to come
 */
export function answerAfterRest(
  request: IncomingMessage,
  limits: DiscardLimits = DISCARD_LIMITS,
): Promise<void> {
  const rest = discardRest(request, limits);
  // Of a client that wants no more than this answer.
  if (!isLast(request)) return Promise.resolve();
  return rest;
}

/** Resolves when the rest has come; a longer or slower one ends the connection, unless the answer does. */
function discardRest(request: IncomingMessage, { bytes, ms }: DiscardLimits): Promise<void> {
  const { socket } = request;
  if (request.complete || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const giveUp = (): void => {
      if (isLast(request)) request.pause();
      else socket.destroy();
      resolve();
    };
    const timer = setTimeout(giveUp, ms).unref();
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', stop);
    socket.once('close', stop);
    let dropped = 0;
    request.unpipe();
    request.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > bytes) giveUp();
    });
    request.resume();
  });
}

/** Whether the client wants the connection to end with the answer (RFC 9112 §9.3). */
function isLast({ headers, httpVersion }: IncomingMessage): boolean {
  const { connection = httpVersion === '1.0' ? 'close' : '' } = headers;
  return /\bclose\b/i.test(connection);
}
