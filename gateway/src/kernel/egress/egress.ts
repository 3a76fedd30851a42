import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { MIN_TLS_VERSION } from '@tillbridge/platform/net/tls-certificate.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { EgressError } from './egress-error.js';
import { type EgressRules, type Resolve, readUrl, type Target, targetOf } from './target.js';

export const EGRESS_LIMITS = {
  /** Redirects that are followed. */
  redirects: 3,
  /** From the first look-up to the whole answer, in milliseconds. */
  timeoutMs: 30_000,
  /** Longest answer, in bytes. */
  answerBytes: 65_536,
} as const;

/** A request of the gateway's own. */
interface EgressRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The status alone is wanted: the answer is not read. */
  readonly ignoreAnswer?: boolean;
  readonly timeoutMs?: number;
}

/** What came back. */
interface EgressAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** What an {@link Egress} works with. */
export interface EgressDeps extends EgressRules {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Absent: the resolver of the system. */
  readonly resolve?: Resolve;
  /** Certification authorities in PEM in addition to those of the runtime. */
  readonly authorities?: readonly string[];
}

/** Statuses by which a redirect keeps method and body (RFC 9110 §15.4). */
const KEEPS_METHOD: readonly number[] = [307, 308];
const REDIRECTS: readonly number[] = [301, 302, 303, ...KEEPS_METHOD];

/**
 * Calls addresses that merchants name. Each hop is resolved, every address of it checked, and the connection goes to a checked address: a
 * name that changes its mind in between gets nothing. Redirects are followed under the same rules, a POST by 307 and 308 alone.
 */
export class Egress {
  readonly #deps: EgressDeps;

  constructor(deps: EgressDeps) {
    this.#deps = deps;
  }

  /** Sends a request, and follows redirects. @throws EgressError */
  async send(request: EgressRequest): Promise<EgressAnswer> {
    const aborter = new AbortController();
    const { timeoutMs = EGRESS_LIMITS.timeoutMs } = request;
    const timer = this.#deps.clock.setTimer(timeoutMs, () => aborter.abort());
    const late = new Promise<never>((_, reject) => {
      aborter.signal.addEventListener('abort', () =>
        reject(new EgressError('timed-out', `no answer within ${timeoutMs} ms`)),
      );
    });
    try {
      return await Promise.race([this.#follow(request, aborter.signal), late]);
    } finally {
      timer.cancel();
      aborter.abort();
    }
  }

  async #follow(request: EgressRequest, signal: AbortSignal): Promise<EgressAnswer> {
    let url = readUrl(request.url, this.#deps);
    for (let hop = 0; hop <= EGRESS_LIMITS.redirects; hop += 1) {
      const target = await targetOf(url, this.#deps, this.#deps.resolve ?? systemResolve);
      const { location, ...answer } = await this.#call(target, request, signal);
      if (!follows(request, answer.status) || location === undefined) return answer;
      url = this.#next(url, location);
    }
    throw new EgressError('redirect-refused', `more than ${EGRESS_LIMITS.redirects} redirects`);
  }

  #next(from: URL, location: string): URL {
    const to = URL.canParse(location, from.href) ? new URL(location, from.href).href : '';
    const url = readUrl(to, this.#deps);
    if (from.protocol === 'https:' && url.protocol !== 'https:')
      throw new EgressError('redirect-refused', 'a redirect from https to http is not followed');
    return url;
  }

  #call(
    { url, addresses }: Target,
    { method, headers = {}, body, ignoreAnswer }: EgressRequest,
    signal: AbortSignal,
  ): Promise<EgressAnswer & { readonly location?: string | undefined }> {
    const options: RequestOptions = {
      method,
      headers,
      // A separate connection: one that is kept open may be to another address.
      agent: false,
      lookup: lookupOf(addresses),
      signal,
      ...(url.protocol === 'https:' && { minVersion: MIN_TLS_VERSION, ...this.#authorities() }),
    };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(faultOf(error, url));
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const sent = send(url, options, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const { location } = answered;
        if (ignoreAnswer || REDIRECTS.includes(status)) {
          response.destroy();
          resolve({ status, body: Buffer.alloc(0), location });
          return;
        }
        readAnswer(response).then((read) => resolve({ status, body: read, location }), fail);
      });
      sent.on('error', fail);
      sent.end(body);
    });
  }

  #authorities(): Pick<RequestOptions, 'ca'> {
    const { authorities } = this.#deps;
    return authorities ? { ca: [...authorities] } : {};
  }
}

function follows({ method }: EgressRequest, status: number): boolean {
  return method === 'GET' ? REDIRECTS.includes(status) : KEEPS_METHOD.includes(status);
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > EGRESS_LIMITS.answerBytes) {
      response.destroy();
      throw new EgressError('answer-too-long', `the answer has more than ${EGRESS_LIMITS.answerBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function systemResolve(host: string) {
  return lookup(host, { all: true });
}

/** Connects to the checked addresses, whatever the name stands for by now. */
function lookupOf(addresses: Target['addresses']): LookupFunction {
  return (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

function faultOf(error: unknown, { hostname }: URL): EgressError {
  if (error instanceof EgressError) return error;
  return new EgressError('unreachable', `${hostname} cannot be reached: ${systemCode(error)}`);
}
