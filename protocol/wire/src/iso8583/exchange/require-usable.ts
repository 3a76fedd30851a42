import { DialectError } from '../dialects/dialect-changes.js';
import type { Dialect } from '../dialects/dialects.js';
import { Iso8583Error } from '../iso8583-error.js';
import { packExchange, unpackExchange } from './exchange-codec.js';
import type { ExchangeMessage } from './exchange-message.js';

const AT = '20261123012200';
const AT_MS = Date.UTC(2026, 10, 23, 1, 22);
const MESSAGE = {
  ...{ isAdvice: false, isResponse: false, isRepeat: false, stan: '000042', at: AT },
  ...{ acquirerId: '1', terminalId: '1', merchantId: '1', rrn: '632707000042' },
} as const;
const AMOUNT = { minor: 1_234, currency: 'EUR' } as const;
const CARD = { pan: '4761739001010010', expiry: '3112', cardSequence: '001' } as const;
const SALE: ExchangeMessage = {
  ...{ ...MESSAGE, kind: 'financial', transaction: 'purchase', amount: AMOUNT, entryMode: 'chip', ...CARD },
  ...{ merchantCategory: '5411', iccData: '9F2701809F3602001C', track2: '4761739001010010=3112201' },
  acceptor: { name: 'Corner shop', city: 'Berlin', country: 'DE' },
};
const TOTAL = { number: 1, minor: 1 } as const;

/** What links send and take at least, with short values: routes and cards may have longer ones. */
const SAMPLES: readonly ExchangeMessage[] = [
  SALE,
  { ...SALE, kind: 'authorization' },
  {
    ...{ ...MESSAGE, kind: 'reversal', isAdvice: true, transaction: 'purchase', amount: AMOUNT, ...CARD },
    ...{ remaining: AMOUNT, original: { type: SALE, stan: '000041', at: AT } },
  },
  { ...MESSAGE, kind: 'network', network: 'sign-on' },
  {
    ...{ ...MESSAGE, kind: 'reconciliation', settlementDate: '20261123' },
    ...{ totals: { debits: TOTAL, credits: TOTAL, debitReversals: TOTAL, creditReversals: TOTAL } },
    net: AMOUNT,
  },
  {
    ...{ ...MESSAGE, kind: 'financial', isResponse: true, transaction: 'purchase', amount: AMOUNT },
    ...{ responseCode: '00', approvalCode: 'A1B2C3', settlementDate: '20261123' },
  },
];

/**
 * Refuses a dialect in which no link could work: whose fields have not room for what messages hold at least.
 * @throws DialectError naming the field
 */
export function requireUsable(dialect: Dialect): void {
  // A sample that lacks a field which the acquirer requires is no fault of the dialect.
  const withoutRequired = { ...dialect, required: [] };
  for (const sample of SAMPLES) {
    try {
      const bytes = packExchange(withoutRequired, sample, true);
      // What a link sends it need not read.
      if (sample.isResponse) unpackExchange(dialect, bytes, AT_MS);
    } catch (error) {
      if (!(error instanceof Iso8583Error) || error.field === undefined) throw error;
      throw new DialectError(
        ['fields', String(error.field)],
        `must have room for what messages hold there: ${error.message}`,
      );
    }
  }
}
