import type { Readable } from 'node:stream';
import { parseRate } from '../rules/exchange.js';
import { timeOf } from '../rules/import-row.js';
import { type NewRate, rateFault } from '../set-rates.js';
import { readCsv } from './read-csv.js';

/** Headings of a file of exchange rates, in their order. */
export const RATE_HEADERS = ['Currency', 'SettlementCurrency', 'Rate', 'ValidFrom', 'ValidUntil'] as const;

/** Rates of one file at most. */
const MAX_RATES = 10_000;

/** The rates of a file, and what is wrong with it: the line, and why. */
interface ReadRates {
  readonly rates: readonly NewRate[];
  readonly faults: readonly { readonly line: number; readonly what: string }[];
}

/** Reads a file of exchange rates: a CSV with semicolons, times in UTC. @throws the error of the stream */
export async function readRates(bytes: Readable): Promise<ReadRates> {
  const rates: NewRate[] = [];
  const faults: { line: number; what: string }[] = [];
  let isHead = true;
  for await (const read of readCsv(bytes, { delimiter: ';' })) {
    const rate = read.fault ?? (isHead ? headFault(read.values) : rateOf(read.values));
    if (typeof rate === 'string') faults.push({ line: read.line, what: rate });
    else if (rate) rates.push(rate);
    if (isHead && faults.length > 0) break;
    isHead = false;
    if (rates.length + faults.length < MAX_RATES) continue;
    faults.push({ line: read.line, what: `a file has at most ${MAX_RATES} rates` });
    break;
  }
  bytes.destroy();
  return { rates, faults };
}

function headFault(values: readonly string[]): string | undefined {
  const isGood =
    values.length === RATE_HEADERS.length && RATE_HEADERS.every((name, at) => values[at] === name);
  return isGood ? undefined : `the columns must be ${RATE_HEADERS.join(';')}`;
}

/** The rate of a row, or what is wrong with it. */
function rateOf(values: readonly string[]): NewRate | string {
  if (values.length !== RATE_HEADERS.length)
    return `has ${values.length} values, and must have ${RATE_HEADERS.length}`;
  const [currency = '', settlementCurrency = '', rateText = '', from = '', until = ''] = values;
  const rate = parseRate(rateText);
  if (rate === undefined) return 'Rate must be more than 0, with at most six decimals';
  const [fromMs, untilMs] = [timeOf(from), until === '' ? null : timeOf(until)];
  if (fromMs === undefined) return 'ValidFrom must be a date, with or without a time';
  if (untilMs === undefined) return 'ValidUntil must be a date, with or without a time, or empty';
  const read = { currency, settlementCurrency, rate, fromMs, untilMs };
  return rateFault(read) ?? read;
}
