import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endStalled } from './end-stalled.js';

/** What connections of an HTTP server may have unanswered. */
export const ANSWER_LIMITS = {
  /** Requests of a connection that wait behind the one at work; with so many no more is read of it. */
  readAhead: 4,
  /** The same at most: what has been read already may hold more of them. A connection with more is ended. */
  waiting: 16,
  /** Waiting requests of all connections. */
  waitingOfAll: 4_096,
  /** How long a peer may take nothing of what waits for it, in milliseconds; it is looked at as often. */
  stalledMs: 15_000,
};
export type AnswerLimits = Readonly<typeof ANSWER_LIMITS>;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Lets a server work on one request of a connection at a time, and on the next one when the answer has left. Node begins all that it reads:
 * a peer that pipelines thousands of requests and reads nothing would make it hold as many answers. Such a peer is ended.
 */
export function answerInTurn(server: Server, limits: Partial<AnswerLimits> = {}): void {
  const all = { ...ANSWER_LIMITS, ...limits };
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const answer: RequestListener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const queues = new WeakMap<Socket, TurnQueue>();
  const total = { waiting: 0 };
  const take: RequestListener = (request, response) => {
    const { socket } = request;
    let queue = queues.get(socket);
    if (!queue) {
      queue = new TurnQueue({ socket, total, limits: all, answer });
      queues.set(socket, queue);
    }
    queue.take({ request, response });
  };
  server.on('request', take);
  // Without a listener Node answers at once, past the queue.
  server.on('checkExpectation', take);
  endStalled(server, all.stalledMs);
}

interface TurnQueueDeps {
  readonly socket: Socket;
  /** Of all connections of the server. */
  readonly total: { waiting: number };
  readonly limits: AnswerLimits;
  readonly answer: RequestListener;
}

/** The requests of one connection. */
class TurnQueue {
  readonly #deps: TurnQueueDeps;
  #waiting: Exchange[] = [];
  #isAtWork = false;

  constructor(deps: TurnQueueDeps) {
    this.#deps = deps;
    const { socket } = deps;
    // Node reads on whenever a body is requested.
    socket.on('resume', () => {
      if (this.#isFull) socket.pause();
    });
    socket.once('close', () => {
      deps.total.waiting -= this.#waiting.length;
      this.#waiting = [];
    });
  }

  take(exchange: Exchange): void {
    const { socket, total, limits } = this.#deps;
    if (socket.destroyed) return;
    if (!this.#isAtWork) {
      this.#begin(exchange);
      return;
    }
    if (this.#waiting.length >= limits.waiting || total.waiting >= limits.waitingOfAll) {
      stopParsing(socket);
      socket.destroy();
      return;
    }
    this.#waiting.push(exchange);
    total.waiting += 1;
    if (this.#isFull) socket.pause();
  }

  get #isFull(): boolean {
    return this.#waiting.length >= this.#deps.limits.readAhead;
  }

  #begin({ request, response }: Exchange): void {
    this.#isAtWork = true;
    // Follows the last byte that has left, or the end of the connection.
    response.once('close', this.#next);
    this.#deps.answer(request, response);
  }

  readonly #next = (): void => {
    const { socket, total } = this.#deps;
    this.#isAtWork = false;
    const wasFull = this.#isFull;
    const next = socket.destroyed ? undefined : this.#waiting.shift();
    if (!next) return;
    total.waiting -= 1;
    if (wasFull && !this.#isFull) socket.resume();
    this.#begin(next);
  };
}

/** What Node's parser is answered where it shall leave the rest of what was read alone, as behind an upgrade. */
const LEAVE_THE_REST = 2;

/**
 * Keeps the parser from the rest of what was read: a read may hold thousands of small requests, and Node makes objects of each. Node has no
 * call for it; where its parser should be another one, the rest is parsed and dropped.
 */
function stopParsing({ parser }: Socket & { parser?: { onIncoming?: unknown } | null }): void {
  if (parser && 'onIncoming' in parser) parser.onIncoming = () => LEAVE_THE_REST;
}
