/** A payment that the simulated bank's customer approves. */
export interface BankPayment {
  /** The acquirer's reference: the same again is the same payment. */
  readonly reference: string;
  /** Decimal text, and ISO 4217 code. */
  readonly amount: string;
  readonly currency: string;
  /** The bank or wallet that the customer sees. */
  readonly brand: string;
  /** Where the customer goes back to. */
  readonly returnUrl: string;
}

/** How a payment stands at the bank. Only an open one ever changes. */
export type BankState = 'open' | 'approved' | 'refused' | 'cancelled';

/** A payment at the bank. */
export interface BankEntry extends BankPayment {
  readonly state: BankState;
  /** Opens the customer's page. */
  readonly token: string;
}

/** Most payments that the bank remembers; the oldest are forgotten. */
export const MAX_BANK_PAYMENTS = 10_000;

/** The payments of the simulated bank: what is decided once stays. No I/O. */
export class BankPayments {
  readonly #entries = new Map<string, BankEntry>();
  readonly #references = new Map<string, string>();
  readonly #newToken: () => string;

  /** @param newToken makes a token that cannot be guessed */
  constructor(newToken: () => string) {
    this.#newToken = newToken;
  }

  /** Makes a payment known, or gives the one that is; undefined when it is another payment under the same reference. */
  begin(payment: BankPayment): BankEntry | undefined {
    const known = this.#entries.get(payment.reference);
    if (known) return isSame(known, payment) ? known : undefined;
    if (this.#entries.size >= MAX_BANK_PAYMENTS) this.#forgetOldest();
    const entry: BankEntry = { ...payment, state: 'open', token: this.#newToken() };
    this.#entries.set(entry.reference, entry);
    this.#references.set(entry.token, entry.reference);
    return entry;
  }

  /** The payment with this reference. */
  find(reference: string): BankEntry | undefined {
    return this.#entries.get(reference);
  }

  /** The payment of a customer's token. */
  ofCustomer(token: string): BankEntry | undefined {
    return this.#entries.get(this.#references.get(token) ?? '');
  }

  /** Decides an open payment; one that is decided stays as it is. Undefined for an unknown one. */
  decide(reference: string, state: Exclude<BankState, 'open'>): BankEntry | undefined {
    const entry = this.#entries.get(reference);
    if (entry?.state !== 'open') return entry;
    const decided = { ...entry, state };
    this.#entries.set(reference, decided);
    return decided;
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.values();
    if (!oldest) return;
    this.#entries.delete(oldest.reference);
    this.#references.delete(oldest.token);
  }
}

function isSame(known: BankEntry, requested: BankPayment): boolean {
  const names = ['amount', 'currency', 'brand', 'returnUrl'] as const;
  return names.every((name) => known[name] === requested[name]);
}
