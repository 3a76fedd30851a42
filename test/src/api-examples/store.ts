import { until } from '../clients/http.js';
import { SETTLE_MS } from '../journeys/test-stack.js';
import { TourContext } from '../tour/tour-context.js';

/** A request to the agent, without its method and path. */
export interface TillRequest {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Makes a request; what it is about is made first. */
export type StackRequest = (store: Store) => TillRequest | Promise<TillRequest>;

type SaleOptions = NonNullable<Parameters<TourContext['request']>[1]>;

/** A store with terminals whose agent is sent the examples. */
export class Store {
  readonly #context: TourContext;
  #tills = 0;
  #closes = 0;
  #sales = 4_710;

  constructor(stack: ConstructorParameters<typeof TourContext>[0]) {
    this.#context = new TourContext(stack, 'order');
  }

  get terminal(): string {
    return this.#context.terminalId;
  }

  /** Waits until terminals and gateway are there, as they are in a store. */
  async untilReady(): Promise<void> {
    await this.#context.agent.untilGateway('up', SETTLE_MS);
    await this.#context.agent.untilTerminalsReady(SETTLE_MS);
  }

  /** A reference that no sale has. */
  reference(): string {
    this.#sales += 1;
    return `order-${this.#sales}`;
  }

  /** The name of a till that has no token yet. */
  nextTill(): string {
    this.#tills += 1;
    return `till-${this.#tills}`;
  }

  /** Gives a till a token; returns its name. */
  async till(): Promise<string> {
    const id = this.nextTill();
    await this.#send('/v1/tills', { id, rights: ['sell', 'refund'] });
    return id;
  }

  /** A reference that no day close has. */
  nextClose(): string {
    this.#closes += 1;
    return `close-${this.#closes}`;
  }

  /** Sells, and closes the day; returns the number of the close. */
  async dayClose(): Promise<string> {
    await this.sale();
    const { number } = await this.#send<{ number: number }>('/v1/day-closes', {
      reference: this.nextClose(),
    });
    return String(number);
  }

  /** Waits until a sale can begin, and holds a card at the terminal for it. */
  async presentCard(card = 'visa-credit-online', how: 'insert' | 'tap' = 'insert'): Promise<void> {
    const { agent, simulator } = this.#context;
    await simulator.remove(this.terminal);
    await agent.untilTerminalsReady(SETTLE_MS);
    await simulator.present(this.terminal, card, how);
  }

  /** Sells; returns the reference. */
  async sale(
    { amount = '12.34', ...options }: SaleOptions = {},
    card?: string,
    how?: 'insert' | 'tap',
  ): Promise<string> {
    await this.presentCard(card, how);
    const reference = this.reference();
    const request = this.#context.request(amount, { ...options, reference });
    const { status, body } = await this.#context.agent.sale(request);
    if (status !== 200) throw new Error(`the sale was answered with ${status}: ${JSON.stringify(body)}`);
    return reference;
  }

  /** Starts a sale that waits for a card; returns the reference. */
  async runningSale(): Promise<string> {
    const { agent, simulator } = this.#context;
    await simulator.remove(this.terminal);
    await agent.untilTerminalsReady(SETTLE_MS);
    const reference = this.reference();
    await agent.startSale(this.#context.request('12.34', { reference }));
    await agent.untilSale(
      reference,
      'waiting for a card',
      SETTLE_MS,
      ({ state }) => state === 'reading-card',
    );
    return reference;
  }

  /** Sells without the gateway what the issuer declines later; returns the reference. */
  async lateDecline(): Promise<string> {
    const { agent, simulator } = this.#context;
    await simulator.network({ state: 'down' });
    await agent.untilGateway('down', SETTLE_MS);
    const reference = await this.sale({ amount: '8.00' }, 'visa-tap-declined', 'tap');
    const { outcome } = (await agent.get(reference)).body;
    if (outcome !== 'approved') throw new Error(`the sale without the gateway is ${outcome}`);
    await simulator.network({ state: 'up' });
    await agent.untilGateway('up', SETTLE_MS);
    await until('a late decline', SETTLE_MS, async () =>
      (await agent.queue()).body.lateDeclines.length > 0 ? true : undefined,
    );
    return reference;
  }

  async #send<T>(path: string, body: object): Promise<T> {
    const { url, token } = this.#context.stack.dev.agent;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
