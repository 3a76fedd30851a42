import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import type { CopyBatch, CopyEntry, CopyKind, CopyTarget } from './copy-target.js';
import { CopyUnavailable } from './copy-unavailable.js';
import { REPLICA_LIMITS, readEntry, WRITER_HEADER, wireBatch } from './copy-wire.js';

/** Where a replica is, and what it knows this agent by. */
export interface ReplicaAddress {
  /** `https:`, or `http:` on this machine. */
  readonly url: string;
  readonly agentId: string;
  /** Shared with the replica. */
  readonly secret: string;
  /** Certificate in PEM that the replica's must come from; absent: those that the system trusts. */
  readonly ca?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A copy that a replica holds. The replica sees sealed entries, never what is in them. */
export class HttpCopy implements CopyTarget {
  readonly #address: ReplicaAddress;
  #writer = '';

  /** Reads at once; the first write makes it the copy's writer, and an earlier one may not write from then on. */
  constructor(address: ReplicaAddress) {
    this.#address = address;
  }

  async get(kind: CopyKind, number: number, name = ''): Promise<Uint8Array | undefined> {
    const entries = await this.#entries({ kind, number, name, limit: 1, exact: 1 });
    return entries[0]?.sealed;
  }

  list(
    kind: CopyKind,
    after: Pick<CopyEntry, 'number' | 'name'>,
    limit: number,
  ): Promise<readonly CopyEntry[]> {
    return this.#entries({ kind, ...after, limit: Math.min(limit, REPLICA_LIMITS.maxListed) });
  }

  async write(batch: CopyBatch): Promise<void> {
    await this.#becomeWriter();
    await this.#call('POST', '/batches', wireBatch(batch));
  }

  async beginAnew(): Promise<void> {
    await this.#becomeWriter();
    await this.#call('POST', '/anew', {});
  }

  async close(): Promise<void> {
    // Nothing is open between two requests.
  }

  /** Not before something is written: who only looks whether the copy is still its own must not push its owner out. */
  async #becomeWriter(): Promise<void> {
    if (this.#writer !== '') return;
    const { writer } = (await this.#call('POST', '/writers', {})) as { writer?: unknown };
    if (typeof writer !== 'string') throw this.#failure('it does not speak as an agent of this version');
    this.#writer = writer;
  }

  async #entries(query: Readonly<Record<string, string | number>>): Promise<readonly CopyEntry[]> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    const answer = await this.#call('GET', `/entries?${search}`);
    const list = Array.isArray(answer) ? answer : [];
    return list.map((each) => {
      const entry = readEntry(each);
      if (!entry) throw this.#failure('it gave something that is no entry of a copy');
      return entry;
    });
  }

  async #call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const { status, body: answer } = await this.#send(method, path, body);
    if (status < 300) return answer;
    const message = (answer as { error?: { message?: unknown } } | undefined)?.error?.message;
    throw this.#failure(`${status}${typeof message === 'string' ? `, ${message}` : ''}`);
  }

  async #send(method: string, path: string, body: object | undefined): Promise<Answer> {
    const { url, agentId, secret, ca } = this.#address;
    const target = new URL(`/v1/copies/${encodeURIComponent(agentId)}${path}`, url);
    const request = target.protocol === 'https:' ? tlsRequest : plainRequest;
    const content = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${secret}`,
      [WRITER_HEADER]: this.#writer,
      ...(content !== undefined && { 'content-type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(REPLICA_LIMITS.requestTimeoutMs);
    return new Promise((resolve, reject) => {
      const sent = request(
        target,
        { method, headers, signal, ...(ca !== undefined && { ca }) },
        (response) => {
          readText(response).then(
            (answer) => resolve({ status: response.statusCode ?? 0, body: parse(answer) }),
            (error: unknown) => reject(this.#failure(textOf(error))),
          );
        },
      );
      sent.on('error', (error) => reject(this.#failure(textOf(error))));
      sent.end(content);
    });
  }

  #failure(detail: string): CopyUnavailable {
    return new CopyUnavailable(`copy at the replica ${this.#address.url}: ${detail}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : String(error);
}
