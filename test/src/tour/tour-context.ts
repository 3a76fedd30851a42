import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { AgentClient, type TillRequest } from '../clients/agent-client.js';
import { GatewayClient } from '../clients/gateway-client.js';
import { until } from '../clients/http.js';
import { type HostTransaction, SimulatorClient } from '../clients/simulator-client.js';
import type { Stack } from '../stack/stack.js';

/** Money moved (or reserved) and not reversed. */
export function stands(row: HostTransaction): boolean {
  return row.approved && !row.reversed && (row.kind === 'authorization' || row.kind === 'advice');
}

/** How long terminals may take to answer after a start, also on a machine with much else to do. */
const READY_TIMEOUT_MS = 120_000;

/** A step of the tour did not come out as it must. */
class TourFailure extends Error {
  override readonly name = 'TourFailure';
}

/** Ends the step with `text` unless `condition` holds. */
export function must(condition: boolean, text: string): asserts condition {
  if (!condition) throw new TourFailure(text);
}

/** What the steps of a tour act on, and the acquirer's record before the step. */
export class TourContext {
  readonly stack: Stack;
  readonly simulator: SimulatorClient;
  readonly gateway: GatewayClient;
  /** The gateway as the channel of test mode EXTERNAL uses it. */
  readonly external: GatewayClient;
  /** The reference of the tour's first sale, refunded later. */
  firstSale = '';
  readonly #prefix: string;
  #count = 0;
  #before: readonly HostTransaction[] = [];

  constructor(stack: Stack, prefix: string) {
    this.stack = stack;
    this.simulator = new SimulatorClient(stack.dev.simulator.url);
    this.gateway = new GatewayClient(stack.dev.gateway.url, stack.dev.merchant);
    this.external = new GatewayClient(stack.dev.gateway.url, stack.dev.externalMerchant, 'EXTERNAL');
    this.#prefix = prefix;
  }

  /** The agent as it now is: it may have been started again. */
  get agent(): AgentClient {
    return new AgentClient(this.stack.dev.agent);
  }

  get terminalId(): string {
    return this.stack.dev.terminals[0]?.id ?? '';
  }

  /** A sale request under a reference that no earlier tour of this home used. */
  request(amount: string, more: Partial<TillRequest> = {}): TillRequest {
    this.#count += 1;
    const reference = `${this.#prefix}-${String(this.#count).padStart(2, '0')}`;
    return { reference, amount, currency: 'EUR', terminalId: this.terminalId, ...more };
  }

  /** Waits until a sale can begin: link up, terminal ready, record of the acquirer noted. */
  async begin(): Promise<void> {
    await this.agent.untilTerminalsReady(READY_TIMEOUT_MS);
    this.#before = await this.simulator.hostTransactions();
  }

  /** A sale with `card` from beginning to end. */
  async sell(card: string, request: TillRequest): Promise<SaleAnswer> {
    await this.simulator.present(request.terminalId ?? this.terminalId, card);
    const { status, body } = await this.agent.sale(request);
    must(status === 200, `the agent answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Rows that the acquirer has written since the step began. */
  async newRows(): Promise<readonly HostTransaction[]> {
    const known = new Set(this.#before.map((row) => row.acquirerReference));
    return (await this.simulator.hostTransactions()).filter((row) => !known.has(row.acquirerReference));
  }

  /** Waits until `count` approvals since the step began stand unreversed, and no more. */
  async untilStanding(count: number, amount: string): Promise<void> {
    const rows = await until(`${count} standing approval(s) at the acquirer`, 20_000, async () => {
      const standing = (await this.newRows()).filter(stands);
      return standing.length === count ? standing : undefined;
    });
    const others = rows.filter((row) => row.amount !== amount);
    must(
      others.length === 0,
      `the acquirer has ${others.map((row) => row.amount).join(', ')} instead of ${amount}`,
    );
  }
}
