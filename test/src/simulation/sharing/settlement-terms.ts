import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { SeededRandom } from '../kernel/seeded-random.js';

/** Currencies of a merchant whose requests come at once: with no digit, two, three and four. */
export const SHARED_CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'BHD', 'CLF'] as const;

/** The least that two digits behind the point show, in minor units. */
export function smallestStep(currency: string): number {
  return 10 ** Math.max(0, minorDigits(currency) - 2);
}

/** Operations that are paid for by themselves. */
export const OPERATION_FEES = ['AUTH_FEE', 'CAPTURE_FEE', 'CANCEL_FEE', 'REFUND_FEE'] as const;
/** One of {@link OPERATION_FEES}. */
export type OperationFee = (typeof OPERATION_FEES)[number];

/** What a currency is changed for from a time on, into that which a merchant is paid in. */
export interface TermsRate {
  readonly currency: string;
  readonly fromMs: number;
  /** Not any more from then on; null: until the next one begins. */
  readonly untilMs: number | null;
  /** Millionths. */
  readonly rate: number;
}

/** What a merchant pays its acquirer, and what it is paid in. */
export interface SettlementTerms {
  /** Hundredths of a percent of each debit. */
  readonly basisPoints: number;
  /** Of each debit, in addition; as all fees in minor units of the currency that it is settled in. */
  readonly fixedMinor: number;
  readonly perOperation: Readonly<Record<OperationFee, number>>;
  /** Null: each payment is settled in its own currency. */
  readonly currency: string | null;
  /** In the order of their beginnings, currency by currency. */
  readonly rates: readonly TermsRate[];
}

const PAID_IN = [null, null, 'EUR', 'JPY', 'KWD', 'CLF'] as const;
/** Between the beginnings of two rates. */
const RATE_MS = { min: 5_000, max: 40_000 } as const;
const RATES = 10;
const RATE = { min: 4_000, max: 180_000_000 } as const;
/** Share of the rates that end before the next one begins: then a payment is settled in its own currency. */
const ENDING_SHARE = 0.2;

/** The terms of a simulation. @param beginMs when it begins; rates change from then on */
export function settlementTermsOf(random: SeededRandom, beginMs: number): SettlementTerms {
  const fees = random.branch('fees');
  const currency = random.branch('paid in').pick(PAID_IN);
  const rates = random.branch('rates');
  return {
    basisPoints: fees.pick([0, 29, 140, 275]),
    fixedMinor: fees.pick([0, 5, 30]),
    perOperation: {
      AUTH_FEE: fees.whole(1, 120),
      CAPTURE_FEE: fees.pick([0, 3, 45]),
      CANCEL_FEE: fees.whole(1, 60),
      REFUND_FEE: fees.whole(1, 99),
    },
    currency,
    rates:
      currency === null
        ? []
        : SHARED_CURRENCIES.filter((each) => each !== currency).flatMap((each) =>
            ratesOf(rates, each, beginMs),
          ),
  };
}

function ratesOf(random: SeededRandom, currency: string, beginMs: number): readonly TermsRate[] {
  const rates: TermsRate[] = [];
  // Some begin while the merchant already sells.
  let fromMs = beginMs + (random.chance(0.7) ? -1 : 1) * random.whole(RATE_MS.min, RATE_MS.max);
  for (let at = 0; at < RATES; at += 1) {
    const lengthMs = random.whole(RATE_MS.min, RATE_MS.max);
    const untilMs = random.chance(ENDING_SHARE) ? fromMs + random.whole(1, lengthMs) : null;
    rates.push({ currency, fromMs, untilMs, rate: random.whole(RATE.min, RATE.max) });
    fromMs += lengthMs;
  }
  return rates;
}

/** The rows of the terms of a merchant. */
export function termsRows(entityId: string, terms: SettlementTerms, createdAtMs: number): Change[] {
  const { basisPoints, fixedMinor, perOperation, currency, rates } = terms;
  return [
    {
      op: 'insert',
      table: 'settlementAccounts',
      row: {
        entityId,
        aboveId: null,
        clearingMerchantId: null,
        currency,
        fees: JSON.stringify({ basisPoints, fixedMinor, perOperation }),
        ftpPassword: null,
        version: 1,
      },
    },
    ...rates.map(
      (rate): Change => ({
        op: 'insert',
        table: 'exchangeRates',
        row: { ...rate, settlementCurrency: currency ?? '', source: 'simulation', createdAtMs, version: 1 },
      }),
    ),
  ];
}
