import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { BankPayments } from '@tillbridge/wire/simulated-bank/bank-payments.js';
import { type AcquirerRedirect, AcquirerUnreachableError } from '../acquirer.js';
import type { BankLink, BankOutcome, BankPayment } from './bank-link.js';

/** The simulated bank in this process, on a line that can be cut. */
export class BankInProcess implements BankLink {
  readonly payments: BankPayments;
  isCut = false;
  /** Digits of the next tokens. */
  tokenLength = 16;
  /** Runs before each question, such as a customer who is faster. */
  beforeCall: () => void = () => undefined;
  #customers = 0;

  constructor() {
    this.payments = new BankPayments(() => {
      this.#customers += 1;
      return String(this.#customers).padStart(this.tokenLength, '0');
    });
  }

  async begin({ amount, ...payment }: BankPayment): Promise<AcquirerRedirect> {
    this.#ask();
    const text = { amount: formatAmount(amount), currency: amount.currency };
    const entry = this.payments.begin({ ...payment, ...text });
    if (!entry) throw new AcquirerUnreachableError('another payment has this reference');
    const parameters = [{ name: 'token', value: entry.token }];
    return { url: 'https://bank.example/pay', method: 'POST', parameters };
  }

  async outcome(reference: string): Promise<BankOutcome> {
    this.#ask();
    return this.payments.find(reference)?.state ?? 'cancelled';
  }

  async cancel(reference: string): Promise<BankOutcome> {
    this.#ask();
    return this.payments.decide(reference, 'cancelled')?.state ?? 'cancelled';
  }

  #ask(): void {
    this.beforeCall();
    if (this.isCut) throw new AcquirerUnreachableError('the line to the bank is cut');
  }
}
