import { request } from 'node:http';
import { resultClass } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { PAYMENT } from '../load/payment-example.js';
import type { ReportedOutcomes } from './reported-outcomes.js';

/** How long a merchant waits before it repeats a request, in milliseconds: less than `Retry-After`, so that the recovery is seen. */
const AGAIN_MS = 100;
/** How long it waits for an answer, in milliseconds. */
const ANSWER_MS = 30_000;

/** Who pays over REST, and where. */
interface MerchantOptions {
  /** Begins its references. */
  readonly name: string;
  readonly port: number;
  readonly entityId: string;
  readonly token: string;
  readonly reported: ReportedOutcomes;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly id: string;
  readonly code: string;
}

/** An honest merchant: each order is paid under one Idempotency-Key until there is an outcome, then looked up wherever the balancer leads. */
export class Merchant {
  readonly #parts: MerchantOptions;
  #orders = 0;

  constructor(parts: MerchantOptions) {
    this.#parts = parts;
  }

  /** Pays one order. */
  async order(): Promise<void> {
    const { name, reported, entityId } = this.#parts;
    this.#orders += 1;
    const reference = `${name}-${this.#orders}`;
    const form = new URLSearchParams({ ...PAYMENT, entityId, merchantTransactionId: reference });
    const paid = await this.#outcome('POST', '/v1/payments', form, reference);
    reported.payments.set(reference, resultClass(paid.code) === 'success' ? 'approved' : 'declined');
    const read = await this.#outcome('GET', `/v1/payments/${paid.id}?${new URLSearchParams({ entityId })}`);
    if (read.id !== paid.id || read.code !== paid.code)
      reported.breaches.push(`${reference} was ${paid.code}, then ${read.code}`);
  }

  /** Repeats the request until there is an answer with an outcome. */
  async #outcome(method: string, path: string, form?: URLSearchParams, key?: string): Promise<Answer> {
    const { reported } = this.#parts;
    for (;;) {
      const answer = await this.#send(method, path, form, key).catch((error: unknown) => error as Error);
      if (answer instanceof Error) {
        reported.fault(`no answer: ${'code' in answer ? String(answer.code) : answer.message}`);
      } else {
        const { status, retryAfter, id, code } = answer;
        const isOutcome = (status === 200 || status === 400) && id !== '';
        if (isOutcome && resultClass(code) !== 'pending') return answer;
        const kind = isOutcome ? 'pending' : String(status);
        reported.fault(status === 503 && retryAfter === undefined ? '503 without Retry-After' : kind);
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  #send(method: string, path: string, form?: URLSearchParams, key?: string): Promise<Answer> {
    const { port, token } = this.#parts;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(form && { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    return new Promise((resolve, reject) => {
      // Each request over a new connection: no node keeps a client.
      const options = { host: '127.0.0.1', port, method, path, headers, agent: false, timeout: ANSWER_MS };
      const sent = request(options, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
        answer.on('end', () => {
          const { id = '', result } = JSON.parse(Buffer.concat(pieces).toString() || '{}');
          const { statusCode: status = 0, headers: received } = answer;
          resolve({ status, retryAfter: received['retry-after'], id, code: result?.code ?? '' });
        });
      });
      sent.on('timeout', () => sent.destroy(new Error('time is up')));
      sent.on('error', reject).end(form?.toString());
    });
  }
}
