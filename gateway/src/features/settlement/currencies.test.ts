import { rmSync } from 'node:fs';
import { currencyCodes } from '@tillbridge/wire/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { formatAmount, parseAmount, smallestShown } from '@tillbridge/wire/payment/money.js';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
} from '../../core/payments/payment-harness.test.support.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { setAccount } from './administration.js';
import { exchanged, ONE_FOR_ONE } from './rules/exchange.js';
import { feeOfDebit, feeOfOperations, STANDARD_FEES } from './rules/fees.js';
import { runSettlement } from './service.js';
import { setRates } from './set-rates.js';
import {
  differencesOf,
  fileRows,
  fileSums,
  ledgerSums,
  liveThrough,
  reportSums,
  settlementParts,
} from './settlement-life.test.support.js';
import { settlementView } from './settlement-view.js';

let harness: PaymentHarness;
let parts: ReturnType<typeof settlementParts>;
beforeEach(async () => {
  harness = await openPaymentHarness();
  parts = settlementParts(harness);
});
afterEach(async () => {
  rmSync(parts.folder, { recursive: true });
  await harness.dispose();
});

const CODES = currencyCodes();
const currency = fc.constantFrom(...CODES);

describe('what a settlement computes', () => {
  it('is shown by two decimals as it is, in every currency', () => {
    const minors = fc.integer({ min: 0, max: 9_999_999_999 });
    const rates = fc.integer({ min: 1, max: 1_000 * ONE_FOR_ONE });
    fc.assert(
      fc.property(currency, currency, minors, rates, (from, to, paidHundredths, rate) => {
        const paid = parseAmount(`${Math.floor(paidHundredths / 100)}.00`, from).minor;
        const settled = exchanged(paid, from, to, rate);
        const fee = feeOfDebit(STANDARD_FEES, settled, to);
        const operations = feeOfOperations(STANDARD_FEES, 'AUTH_FEE', paidHundredths % 1_000, to);
        for (const minor of [settled, fee, operations]) {
          expect(minor % smallestShown(to)).toBe(0);
          const [units, shown] = [10 ** minorDigits(to), hundredths(formatAmount({ minor, currency: to }))];
          expect(shown * BigInt(units)).toBe(BigInt(minor) * 100n);
        }
        // A half of the smallest part that is shown is the most that rounding changes.
        const exact =
          BigInt(settled) * BigInt(STANDARD_FEES.basisPoints) + BigInt(STANDARD_FEES.fixedMinor) * 10_000n;
        const off = BigInt(fee) * 10_000n - exact;
        expect(2n * (off < 0n ? -off : off) <= BigInt(smallestShown(to)) * 10_000n).toBe(true);
      }),
    );
  });

  it.each([
    // 1.4 % of 1.000 and 5 thousandths: 0.019.
    ['KWD', 1_000, 20],
    ['KWD', 100_000, 1_410],
    ['CLF', 123_400, 1_700],
    ['JPY', 100, 6],
    ['EUR', 1_234, 22],
  ])('takes of %s %i minor units a fee of %i', (code, minor, fee) => {
    expect(feeOfDebit(STANDARD_FEES, minor, code)).toBe(fee);
  });
});

describe.each([
  ['its own', null],
  ['EUR', 'EUR'],
  ['JPY', 'JPY'],
  ['KWD', 'KWD'],
  ['CLF', 'CLF'],
])('a life in every currency, paid out in %s', (_, paidIn) => {
  it('adds up in ledger, file and report', async () => {
    if (paidIn !== null) await payOutIn(paidIn);
    const files: string[] = [];
    const settle = async () => {
      const { files: written, failed } = await runSettlement(parts);
      expect(failed).toEqual([]);
      for (const { name } of written) files.push(name);
    };
    await liveThrough(harness, { seed: 7, payments: CODES.length, settle, currencies: CODES });
    await settle();
    const ledger = await ledgerSums(harness.record);
    expect(differencesOf(ledger, { csv: fileSums(parts.folder, files) })).toEqual([]);
    if (paidIn === null) expect(differencesOf(ledger, { reports: await reportSums(harness) })).toEqual([]);
    expect(new Set([...ledger.keys()].map(minorDigits))).toEqual(new Set([0, 2, 3, 4]));
    expect(shownByFiles(files)).toEqual(await shownByReports());
  });
});

/** Has the merchant paid in one currency, with a rate for every other one. */
async function payOutIn(settlementCurrency: string): Promise<void> {
  await setAccount({ ...parts, actor: 'operator' }, ENTITY, { currency: settlementCurrency });
  const rates = CODES.filter((code) => code !== settlementCurrency).map((code, at) => ({
    ...{ currency: code, settlementCurrency, fromMs: 0, untilMs: null, rate: 1 + 37_411 * at },
  }));
  await setRates({ ...parts, actor: 'operator' }, rates, 'bank.csv');
}

type Shown = Record<string, { credits: bigint; debits: bigint; fees: bigint }>;

/** Hundredths of a shown amount. */
const hundredths = (text: string): bigint => BigInt(text.replace('.', ''));

/** Sums of what is written in files, in hundredths, by currency of the settlement. */
function shownByFiles(names: readonly string[]): Shown {
  const shown: Shown = {};
  for (const row of names.flatMap((name) => fileRows(parts.folder, name))) {
    const code = row.SettlementCurrency ?? '';
    shown[code] ??= { credits: 0n, debits: 0n, fees: 0n };
    const side = row.Cashflow === 'POS' ? 'credits' : 'debits';
    shown[code][side] += hundredths(row.SettlementAmount ?? '');
    shown[code].fees += hundredths(row.SettlementFee ?? '');
  }
  return shown;
}

/** The same of the totals that reports and the command line show; their net is what the three make. */
async function shownByReports(): Promise<Shown> {
  const shown: Shown = {};
  for (const row of await allRows(harness.store, 'settlements')) {
    const view = settlementView(row) as Record<string, string>;
    const [credits, debits, fees, net] = [view.credits, view.debits, view.fees, view.net].map((text = '') =>
      hundredths(text),
    ) as [bigint, bigint, bigint, bigint];
    expect(net).toBe(credits - debits - fees);
    shown[row.currency] ??= { credits: 0n, debits: 0n, fees: 0n };
    const sums = shown[row.currency] ?? { credits: 0n, debits: 0n, fees: 0n };
    shown[row.currency] = {
      credits: sums.credits + credits,
      debits: sums.debits + debits,
      fees: sums.fees + fees,
    };
  }
  return shown;
}
