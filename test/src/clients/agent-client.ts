import type { SaleCall } from '@tillbridge/agent/cli/agent-client.js';
import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { QueueView, StatusView } from '@tillbridge/agent/sale/service/sale-service.js';
import type { Totals } from '@tillbridge/agent/sale/totals/totals-page.js';
import type { DayCloseAnswer } from '@tillbridge/agent/till/day-close-routes.js';
import type { TodoAnswer } from '@tillbridge/agent/till/status-routes.js';
import { call, type HttpAnswer, json, until } from './http.js';

/** What a till requests. */
export type TillRequest = Omit<SaleCall, 'type' | 'cancelAfterSeconds'> & Partial<Pick<SaleCall, 'type'>>;

/** The agent's REST as a till uses it. */
export class AgentClient {
  readonly #url: string;
  readonly #token: string;

  constructor(agent: { readonly url: string; readonly token: string }) {
    this.#url = agent.url;
    this.#token = agent.token;
  }

  /** Starts a sale and waits for its end. */
  sale(request: TillRequest): Promise<HttpAnswer<SaleAnswer>> {
    return this.#call('POST', '/v1/sales', request);
  }

  /** Starts a sale and returns at once. */
  startSale(request: TillRequest): Promise<HttpAnswer<SaleAnswer>> {
    return this.#call('POST', '/v1/sales', request, { prefer: 'respond-async' });
  }

  get(reference: string): Promise<HttpAnswer<SaleAnswer>> {
    return this.#call('GET', `/v1/sales/${encodeURIComponent(reference)}`);
  }

  reverse(reference: string): Promise<HttpAnswer<SaleAnswer>> {
    return this.#call('POST', `/v1/sales/${encodeURIComponent(reference)}/reversal`, {});
  }

  /** Captures an approved preauthorization. */
  capture(reference: string, amount: string): Promise<HttpAnswer<SaleAnswer>> {
    return this.#call('POST', `/v1/sales/${encodeURIComponent(reference)}/capture`, { amount });
  }

  /** Enters the approval code of a call to the issuer. */
  approveByVoice(reference: string, approvalCode: string): Promise<HttpAnswer<SaleAnswer>> {
    const path = `/v1/sales/${encodeURIComponent(reference)}/voice-authorization`;
    return this.#call('POST', path, { approvalCode });
  }

  /** Resolves a parked sale manually. */
  resolve(
    reference: string,
    outcome: 'approved' | 'declined' | 'reversed' | 'failed',
    note: string,
  ): Promise<HttpAnswer<SaleAnswer>> {
    const path = `/v1/sales/${encodeURIComponent(reference)}/resolution`;
    return this.#call('POST', path, { outcome, note });
  }

  queue(): Promise<HttpAnswer<QueueView>> {
    return this.#call('GET', '/v1/queue');
  }

  /** Takes note of an offline sale that was declined later or expired. */
  acknowledge(reference: string, by?: string): Promise<HttpAnswer<SaleAnswer>> {
    const path = `/v1/queue/${encodeURIComponent(reference)}/acknowledgement`;
    return this.#call('POST', path, by === undefined ? {} : { by });
  }

  flush(): Promise<HttpAnswer<QueueView>> {
    return this.#call('POST', '/v1/queue/flush', {});
  }

  status(): Promise<HttpAnswer<StatusView & { readonly todos: readonly TodoAnswer[] }>> {
    return this.#call('GET', '/v1/status');
  }

  /** What a period comes to, by the query of `GET /v1/totals`. */
  totals(query = ''): Promise<HttpAnswer<Totals>> {
    return this.#call('GET', `/v1/totals${query}`);
  }

  /** Closes the day; the same reference again is the same close. */
  closeDay(reference: string): Promise<HttpAnswer<DayCloseAnswer>> {
    return this.#call('POST', '/v1/day-closes', { reference });
  }

  /** The day closes, newest first. */
  dayCloses(): Promise<HttpAnswer<{ readonly dayCloses: readonly DayCloseAnswer[] }>> {
    return this.#call('GET', '/v1/day-closes');
  }

  /** Waits until the sale satisfies `test`. */
  async untilSale(
    reference: string,
    what: string,
    timeoutMs: number,
    test: (sale: SaleAnswer) => boolean,
  ): Promise<SaleAnswer> {
    return until(`${reference} to be ${what}`, timeoutMs, async () => {
      const { status, body } = await this.get(reference);
      return status === 200 && test(body) ? body : undefined;
    });
  }

  /** Waits until the agent is connected (or not) to the gateway. */
  async untilGateway(state: 'up' | 'down', timeoutMs: number): Promise<void> {
    await until(`the link to the gateway to be ${state}`, timeoutMs, async () => {
      const { body } = await this.status();
      return (state === 'up') === (body.gateway.state === 'up') ? true : undefined;
    });
  }

  /** Waits until every terminal answers. */
  async untilTerminalsReady(timeoutMs: number): Promise<void> {
    await until('all terminals to be ready', timeoutMs, async () => {
      const { body } = await this.status();
      return body.terminals.length > 0 && body.terminals.every(({ state }) => state === 'ready')
        ? true
        : undefined;
    });
  }

  /** Waits until nothing waits for the gateway any more. */
  async untilQueueEmpty(timeoutMs: number): Promise<void> {
    await until('the queue to be empty', timeoutMs, async () =>
      (await this.queue()).body.depth === 0 ? true : undefined,
    );
  }

  #call<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer<T>> {
    const authorization = { authorization: `Bearer ${this.#token}`, ...headers };
    return call<T>(
      method,
      `${this.#url}${path}`,
      body === undefined ? { headers: authorization } : json(body, authorization),
    );
  }
}
