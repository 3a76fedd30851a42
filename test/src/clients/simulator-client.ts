import type { AcquirerTransaction } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { call, type HttpAnswer, json } from './http.js';

/** A row of the acquirer's own record: the truth for P2. */
export type HostTransaction = AcquirerTransaction;

/** What the proxy between agent and gateway does. */
export interface NetworkState {
  readonly state: 'up' | 'down' | 'slow';
  readonly latencyMs?: number;
  readonly dropAnswers?: boolean;
}

/** The simulator's REST: hands that put cards into terminals, and a hand on the network cable. */
export class SimulatorClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Puts a card into a terminal, or holds it ready for the moment the terminal wants one. */
  present(
    terminalId: string,
    card: string,
    how: 'insert' | 'tap' | 'swipe' | 'manual' = 'insert',
  ): Promise<HttpAnswer<unknown>> {
    return this.#post(`/terminals/${terminalId}/present`, { card, how });
  }

  pin(terminalId: string, pin: string): Promise<HttpAnswer<unknown>> {
    return this.#post(`/terminals/${terminalId}/pin`, { pin });
  }

  /** Takes the card out. */
  remove(terminalId: string): Promise<HttpAnswer<unknown>> {
    return this.#post(`/terminals/${terminalId}/remove`, {});
  }

  unplug(terminalId: string): Promise<HttpAnswer<unknown>> {
    return this.#post(`/terminals/${terminalId}/unplug`, {});
  }

  plug(terminalId: string): Promise<HttpAnswer<unknown>> {
    return this.#post(`/terminals/${terminalId}/plug`, {});
  }

  /** Takes away the faults that wait in a terminal. */
  heal(terminalId: string): Promise<HttpAnswer<unknown>> {
    return call('PUT', `${this.#url}/terminals/${terminalId}/faults`, json([]));
  }

  network(state: NetworkState): Promise<HttpAnswer<unknown>> {
    return call('PUT', `${this.#url}/network`, json(state));
  }

  /** The acquirer's own record. */
  async hostTransactions(): Promise<readonly HostTransaction[]> {
    const { status, body } = await call<readonly HostTransaction[]>('GET', `${this.#url}/host/transactions`);
    if (status !== 200) throw new Error(`GET /host/transactions answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async #post(path: string, body: unknown): Promise<HttpAnswer<unknown>> {
    const answer = await call('POST', `${this.#url}${path}`, json(body));
    if (answer.status >= 300)
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  }
}
