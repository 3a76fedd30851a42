import { type ExchangeTotals, isDebit } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { ExchangeRecord } from './exchange-record.js';

/** What a merchant has had of a host in one currency. */
export interface MerchantTotals {
  /** Number of the merchant at the acquirer. */
  readonly merchantId: string;
  readonly currency: string;
  readonly totals: ExchangeTotals;
}

type Name = keyof ExchangeTotals;

const NOTHING = { number: 0, minor: 0 } as const;
/** Totals of a day on which nothing happened. */
export const NO_TOTALS: ExchangeTotals = {
  debits: NOTHING,
  credits: NOTHING,
  debitReversals: NOTHING,
  creditReversals: NOTHING,
};
/** Where the reversals of a side are counted. */
const REVERSALS = { debits: 'debitReversals', credits: 'creditReversals' } as const;
/** The totals, as messages for people name them. */
const NAMES: Readonly<Record<Name, string>> = {
  debits: 'debits',
  credits: 'credits',
  debitReversals: 'reversals of debits',
  creditReversals: 'reversals of credits',
};

/** Which side of totals an exchange counts on: what it takes of the cardholder is a debit (pure). */
export function sideOf({ request }: Pick<ExchangeRecord, 'request'>): 'debits' | 'credits' {
  return isDebit(request?.transaction) ? 'debits' : 'credits';
}

/** How an exchange moved money: `reversed` is its reversal. */
export type MovementKind = 'booked' | 'reversed';

/** What the host took and gave on one of its settlement days, by merchant and currency, as the journal of the link has it (pure). */
export class DayTotals {
  readonly #found = new Map<string, MerchantTotals>();

  /** Those of each merchant and currency. */
  get all(): readonly MerchantTotals[] {
    return [...this.#found.values()];
  }

  /** Those of a merchant in a currency. */
  of(merchantId: string, currency: string): ExchangeTotals {
    return this.#found.get(merchantKey(merchantId, currency))?.totals ?? NO_TOTALS;
  }

  /** Adds what an exchange moved on the day. */
  add(record: ExchangeRecord, kind: MovementKind): void {
    const { merchantId, amount } = record.request ?? {};
    const moved = record[kind];
    if (merchantId === undefined || !amount || !moved) return;
    const { currency } = amount;
    const side = sideOf(record);
    const name = kind === 'booked' ? side : REVERSALS[side];
    const totals = this.of(merchantId, currency);
    const { number, minor } = totals[name];
    const sum = { number: number + 1, minor: minor + moved.minor };
    const next = { merchantId, currency, totals: { ...totals, [name]: sum } };
    this.#found.set(merchantKey(merchantId, currency), next);
  }
}

/** Where two totals differ, in words; empty where they are the same (pure). */
export function totalsDifference(ours: ExchangeTotals, theirs: ExchangeTotals): string {
  const text = ({ number, minor }: ExchangeTotals[Name]) => `${number} of ${minor}`;
  return (Object.keys(NAMES) as Name[])
    .filter((name) => text(ours[name]) !== text(theirs[name]))
    .map((name) => `${NAMES[name]}: ${text(ours[name])} here, ${text(theirs[name])} there`)
    .join('; ');
}

/** What names the totals of a merchant in a currency. */
export function merchantKey(merchantId: string, currency: string): string {
  return `${merchantId} ${currency}`;
}
