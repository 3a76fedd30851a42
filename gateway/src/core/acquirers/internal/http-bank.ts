import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { BankState } from '@tillbridge/wire/simulated-bank/bank-payments.js';
import { type AcquirerRedirect, AcquirerUnreachableError } from '../acquirer.js';
import type { BankLink, BankOutcome, BankPayment } from './bank-link.js';

/** How long the simulated bank may take, in milliseconds. */
const BANK_TIMEOUT_MS = 5_000;

const STATES: ReadonlySet<unknown> = new Set<BankState>(['open', 'approved', 'refused', 'cancelled']);

/** The way to the simulated bank over HTTP (hardware-sim/docs/simulated-bank.md). */
export class HttpBank implements BankLink {
  readonly #origin: string;

  /** @param url where the simulated bank listens */
  constructor(url: string) {
    this.#origin = new URL(url).origin;
  }

  async begin({ reference, amount, brand, returnUrl }: BankPayment): Promise<AcquirerRedirect> {
    const body = { amount: formatAmount(amount), currency: amount.currency, brand, returnUrl };
    const answer = await this.#ask('PUT', `/payments/${reference}`, body);
    const { token } = (answer ?? {}) as { readonly token?: unknown };
    if (typeof token !== 'string') throw new AcquirerUnreachableError('the simulated bank gave no page');
    return { url: `${this.#origin}/pay`, method: 'GET', parameters: [{ name: 'token', value: token }] };
  }

  outcome(reference: string): Promise<BankOutcome> {
    return this.#state('GET', `/payments/${reference}`);
  }

  cancel(reference: string): Promise<BankOutcome> {
    return this.#state('POST', `/payments/${reference}/cancellation`);
  }

  async #state(method: string, path: string): Promise<BankOutcome> {
    const answer = await this.#ask(method, path);
    // A bank that was started anew knows none of its payments: no customer approves them any more.
    if (answer === undefined) return 'cancelled';
    const { state } = answer as { readonly state?: unknown };
    if (!STATES.has(state))
      throw new AcquirerUnreachableError('the simulated bank gave no state of the payment');
    return state as BankOutcome;
  }

  /** The answer; undefined for a payment that the bank does not know. @throws AcquirerUnreachableError */
  async #ask(method: string, path: string, body?: object): Promise<object | undefined> {
    try {
      const response = await fetch(this.#origin + path, {
        method,
        redirect: 'error',
        signal: AbortSignal.timeout(BANK_TIMEOUT_MS),
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      if (response.status === 404) return undefined;
      if (!response.ok) throw new Error(`status ${response.status}`);
      return (await response.json()) as object;
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown fault';
      throw new AcquirerUnreachableError(`the simulated bank does not answer: ${reason}`);
    }
  }
}
