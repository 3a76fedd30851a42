import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { SettlementRecordRow, SettlementRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { OPERATION_FEES, type OperationFee, type SettlementTerms } from '../sharing/settlement-terms.js';
import type { FileLine } from './file-lines.js';

/** Digits of the currencies; written a second time, as all arithmetic here is: the judge shares none with what it judges. */
const DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3, BHD: 3, CLF: 4 };

/** Which fee a row of the acquirer's ledger costs; others cost none. */
const FEE_OF_KIND: Readonly<Partial<Record<LedgerRow['kind'], OperationFee>>> = {
  authorization: 'AUTH_FEE',
  increment: 'AUTH_FEE',
  capture: 'CAPTURE_FEE',
  refund: 'REFUND_FEE',
  reversal: 'CANCEL_FEE',
};

/** What is judged: all that is settled of one merchant. */
export interface SettledMerchant {
  readonly terms: SettlementTerms;
  /** Rows of the acquirer's ledger that its requests caused, each with the currency that its merchant requested. */
  readonly rows: readonly { readonly row: LedgerRow; readonly currency: string }[];
  /** Of all its files. */
  readonly lines: readonly FileLine[];
  readonly settlements: readonly SettlementRow[];
  /** Those of fees. */
  readonly feeRecords: readonly SettlementRecordRow[];
}

/**
 * P2 of what a merchant is paid: each line has the amount of its row, changed by the rate of its time, and the fee of the merchant's table. Operations
 * are paid for by their number at the acquirer. Sums of settlements are those of their lines.
 */
export function checkTerms(settled: SettledMerchant, breach: (text: string) => void): void {
  checkLines(settled, breach);
  checkOperations(settled, breach);
  checkSums(settled, breach);
}

function checkLines({ terms, rows, lines }: SettledMerchant, breach: (text: string) => void): void {
  const ledger = new Map(rows.map(({ row }) => [row.acquirerReference, row]));
  const seen = new Set<string>();
  for (const of of lines) {
    if (of('ReconciliationType') === 'FEE') continue;
    const reference = of('SettlementTxId');
    const row = ledger.get(reference);
    if (!row) {
      breach(`a file has ${of('Amount')} ${of('Currency')} of no transaction of its merchant`);
      continue;
    }
    if (seen.has(reference)) breach(`${row.kind} ${reference} is settled twice`);
    seen.add(reference);
    const { amountMinor, currency, atMs } = row;
    const to = settledIn(terms, currency, atMs);
    const minor = exchanged(amountMinor, currency, to);
    const isDebit = of('ReconciliationType') === 'SETTLED' && of('PaymentType') === 'DEBIT';
    const fee = isDebit ? debitFee(terms, minor, to.currency) : 0;
    const should = [shown(amountMinor, currency), shown(minor, to.currency), shown(fee, to.currency)];
    const is = [
      `${of('Amount')} ${of('Currency')}`,
      `${of('SettlementAmount')} ${of('SettlementCurrency')}`,
      `${of('SettlementFee')} ${of('SettlementCurrency')}`,
    ];
    if (is.join() !== should.join())
      breach(
        `${row.kind} ${reference} is settled as ${is.join(', ')}; amount, settled amount and fee are ${should.join(', ')}`,
      );
  }
}

/** Each operation at the acquirer is counted in one settlement, and paid for by the table. */
function checkOperations(
  { terms, rows, settlements, feeRecords, lines }: SettledMerchant,
  breach: (text: string) => void,
): void {
  const wanted = new Map<string, number>();
  for (const { row, currency } of rows) {
    const type = FEE_OF_KIND[row.kind];
    if (type) add(wanted, `${type} ${settledIn(terms, currency, row.atMs).currency}`, 1);
  }
  const counted = new Map<string, number>();
  const paid = new Map<string, number>();
  for (const { id, currency, operations } of settlements) {
    const counts = JSON.parse(operations) as Readonly<Partial<Record<OperationFee, number>>>;
    for (const type of OPERATION_FEES) {
      const count = counts[type] ?? 0;
      add(counted, `${type} ${currency}`, count);
      const own = feeRecords.filter((each) => each.settlementId === id && each.transactionType === type);
      const is = own.reduce((sum, { settlementMinor }) => sum + settlementMinor, 0);
      const should = operationsFee(terms, type, count, currency);
      add(paid, `${type} ${currency}`, should);
      if (is !== should) breach(`${count} times ${type} ${currency} cost ${is}, and should cost ${should}`);
    }
  }
  for (const key of new Set([...wanted.keys(), ...counted.keys()])) {
    const [should, is] = [wanted.get(key) ?? 0, counted.get(key) ?? 0];
    // A settlement without records is none: what two decimals cannot show is then never paid.
    const [type = 'AUTH_FEE', currency = ''] = key.split(' ') as [OperationFee, string];
    const mayVanish = operationsFee(terms, type, 1, currency) === 0;
    if (is > should || (is < should && !mayVanish))
      breach(`${key} is counted ${is} times, and the acquirer has ${should} such requests`);
  }
  const inFiles = new Map<string, number>();
  for (const of of lines)
    if (of('ReconciliationType') === 'FEE')
      add(
        inFiles,
        `${of('PaymentType')} ${of('SettlementCurrency')}`,
        minorOf(of('SettlementAmount'), of('SettlementCurrency')),
      );
  for (const key of new Set([...paid.keys(), ...inFiles.keys()]))
    if ((paid.get(key) ?? 0) !== (inFiles.get(key) ?? 0))
      breach(`files have ${inFiles.get(key) ?? 0} of ${key}, and the table has ${paid.get(key) ?? 0}`);
}

/** Credits, debits and fees of settlements are what the lines of the files sum up to, in each currency. */
function checkSums({ lines, settlements }: SettledMerchant, breach: (text: string) => void): void {
  const ofLines = new Map<string, number>();
  for (const of of lines) {
    const currency = of('SettlementCurrency');
    const direction = of('Cashflow') === 'POS' ? 'credits' : 'debits';
    add(ofLines, `${direction} ${currency}`, minorOf(of('SettlementAmount'), currency));
    add(ofLines, `fees ${currency}`, minorOf(of('SettlementFee'), currency));
  }
  const ofSettlements = new Map<string, number>();
  for (const { currency, creditMinor, debitMinor, feeMinor } of settlements) {
    add(ofSettlements, `credits ${currency}`, creditMinor);
    add(ofSettlements, `debits ${currency}`, debitMinor);
    add(ofSettlements, `fees ${currency}`, feeMinor);
  }
  for (const key of new Set([...ofLines.keys(), ...ofSettlements.keys()])) {
    const [inFiles, stated] = [ofLines.get(key) ?? 0, ofSettlements.get(key) ?? 0];
    if (inFiles !== stated)
      breach(`settlements state ${stated} minor units of ${key}, their lines ${inFiles}`);
  }
}

/** A currency, and millionths of it for one unit of a payment's. */
interface SettledIn {
  readonly currency: string;
  readonly rate: number;
}

/** What a payment of a time is settled in: without a rate in force in its own currency. */
function settledIn({ currency: wanted, rates }: SettlementTerms, currency: string, atMs: number): SettledIn {
  const own = { currency, rate: 1_000_000 };
  if (wanted === null || wanted === currency) return own;
  let latest: SettlementTerms['rates'][number] | undefined;
  for (const rate of rates)
    if (rate.currency === currency && rate.fromMs <= atMs && rate.fromMs >= (latest?.fromMs ?? rate.fromMs))
      latest = rate;
  if (!latest || (latest.untilMs !== null && atMs >= latest.untilMs)) return own;
  return { currency: wanted, rate: latest.rate };
}

function exchanged(minor: number, from: string, to: SettledIn): number {
  const scale = 10n ** BigInt(digitsOf(from));
  const units = BigInt(minor) * BigInt(to.rate) * 10n ** BigInt(digitsOf(to.currency));
  return nearest(units, scale * 1_000_000n, to.currency);
}

function debitFee({ basisPoints, fixedMinor }: SettlementTerms, minor: number, currency: string): number {
  return nearest(BigInt(minor * basisPoints) + BigInt(fixedMinor * 10_000), 10_000n, currency);
}

function operationsFee(
  { perOperation }: SettlementTerms,
  type: OperationFee,
  count: number,
  currency: string,
): number {
  return nearest(BigInt(perOperation[type] * count), 1n, currency);
}

/** A fraction of minor units as two decimals show it; the half is rounded up. */
function nearest(units: bigint, divisor: bigint, currency: string): number {
  const step = BigInt(stepOf(currency));
  const [whole, rest] = [units / (divisor * step), units % (divisor * step)];
  return Number((2n * rest < divisor * step ? whole : whole + 1n) * step);
}

function digitsOf(currency: string): number {
  const digits = DIGITS[currency];
  if (digits === undefined) throw new Error(`the judge knows no digits of ${currency}`);
  return digits;
}

/** The least that two decimals show, in minor units. */
function stepOf(currency: string): number {
  return 10 ** Math.max(0, digitsOf(currency) - 2);
}

/** An amount with its two decimals, which are zeros where a currency has none. */
function minorOf(text: string, currency: string): number {
  return (Number(text.replace('.', '')) * 10 ** digitsOf(currency)) / 100;
}

function shown(minor: number, currency: string): string {
  return `${(minor / 10 ** digitsOf(currency)).toFixed(2)} ${currency}`;
}

function add(sums: Map<string, number>, key: string, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more);
}
