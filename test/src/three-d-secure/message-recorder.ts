import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message as JSON, and the one that answered it. */
interface Exchange {
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

/**
 * Stands between gateway and directory server, in both directions, and keeps every message. The address for results in an AReq is replaced
 * by the recorder's own.
 */
export class MessageRecorder {
  readonly exchanges: Exchange[] = [];
  /** Called before a message is passed on; what it throws is answered with 503. */
  before: (request: Exchange['request']) => Promise<void> = async () => undefined;
  /** Called before an answer is passed back. */
  after: (exchange: Exchange) => Promise<void> = async () => undefined;
  readonly #directoryUrl: string;
  readonly #server = createServer((request, response) => {
    this.#pass(request, response).catch(() => response.writeHead(503).end());
  });

  constructor(directoryUrl: string) {
    this.#directoryUrl = directoryUrl;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ds`;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Requests of a type, and their answers. */
  of(messageType: string): readonly Exchange[] {
    return this.exchanges.filter(({ request }) => request.messageType === messageType);
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = JSON.parse(await text(incoming)) as Record<string, unknown>;
    await this.before(request);
    const results = new URL(incoming.url ?? '', this.url).searchParams.get('results');
    const { threeDSServerURL } = request;
    const passed =
      typeof threeDSServerURL === 'string'
        ? { ...request, threeDSServerURL: `${this.url}?results=${encodeURIComponent(threeDSServerURL)}` }
        : request;
    const answered = await fetch(results ?? this.#directoryUrl, {
      method: 'POST',
      body: JSON.stringify(passed),
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    const body = await answered.text();
    const exchange = { request, answer: JSON.parse(body) as Record<string, unknown> };
    this.exchanges.push(exchange);
    await this.after(exchange);
    response.writeHead(answered.status, { 'content-type': 'application/json; charset=utf-8' }).end(body);
  }
}
