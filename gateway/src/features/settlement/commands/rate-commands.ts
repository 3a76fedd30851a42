import { createReadStream, existsSync } from 'node:fs';
import { basename } from 'node:path';
import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, type ConfigOption } from '../../../kernel/commands/command.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import type { ExchangeRateRow } from '../../../kernel/store/rows.js';
import { RATE_HEADERS, readRates } from '../import/read-rates.js';
import { parseRate, rateText } from '../rules/exchange.js';
import { timeOf } from '../rules/import-row.js';
import { removeRate, setRates } from '../set-rates.js';
import { withSettlementStore } from './settlement-store.js';

interface RateOptions extends ConfigOption {
  readonly from?: number;
}

interface SetOptions extends RateOptions {
  readonly until?: number;
}

const FILE_HELP = `
A file has these columns; times are yyyy-MM-dd, with or without HH:mm:ss, in UTC; ValidUntil may be empty:
  ${RATE_HEADERS.join(';')}
  USD;EUR;0.923412;2026-11-20;
All rates are set or none. The same file again changes nothing.`;

/** `settlement rates list | set | import | remove`. */
export function addRateCommands(settlement: Command): void {
  const rates = settlement
    .command('rates')
    .description('What one currency is changed into another for, where a merchant is paid in another one.');
  addCommand(rates, 'list [currency]', 'List the rates, of all or of one currency, by time.').action(list);
  addCommand(rates, 'set <currency> <settlementCurrency> <rate>', 'Set a rate, with up to six decimals.')
    .option('--from <time>', 'since when it counts; without it now', time)
    .option('--until <time>', 'until when; without it until the next one', time)
    .action(set);
  addCommand(rates, 'import <file>', 'Set the rates of a file.')
    .addHelpText('after', FILE_HELP)
    .action(importRates);
  addCommand(rates, 'remove <currency> <settlementCurrency>', 'Take back a rate that has not begun.')
    .requiredOption('--from <time>', 'since when it would count', time)
    .action(remove);
}

async function remove(
  currency: string,
  settlementCurrency: string,
  { from = 0, ...options }: RateOptions,
): Promise<void> {
  await withSettlementStore(options, async (parts) => {
    await removeRate(parts, { currency, settlementCurrency, fromMs: from });
    printJson({ removed: 1 });
  });
}

async function list(currency: string | undefined, options: ConfigOption): Promise<void> {
  await withSettlementStore(options, async ({ store }) => {
    for (const row of await allRows(store, 'exchangeRates'))
      if (currency === undefined || row.currency === currency)
        process.stdout.write(`${JSON.stringify(rateView(row))}\n`);
  });
}

async function set(
  currency: string,
  settlementCurrency: string,
  text: string,
  { from, until, ...options }: SetOptions,
): Promise<void> {
  const rate = parseRate(text);
  if (rate === undefined)
    throw new OperatorError(`${text} is no rate: more than 0, with at most six decimals`);
  await withSettlementStore(options, async (parts) => {
    const fromMs = from ?? systemClock.nowMs();
    const one = { currency, settlementCurrency, rate, fromMs, untilMs: until ?? null };
    printJson({ set: await setRates(parts, [one], parts.actor) });
  });
}

async function importRates(file: string, options: ConfigOption): Promise<void> {
  if (!existsSync(file)) throw new OperatorError(`${file} is not there`);
  const { rates, faults } = await readRates(createReadStream(file));
  for (const { line, what } of faults) process.stderr.write(`line ${line}: ${what}\n`);
  if (faults.length > 0) throw new OperatorError(`${file} has ${faults.length} wrong rows: nothing was set`);
  await withSettlementStore(options, async (parts) => {
    const count = await setRates(parts, rates, basename(file));
    printJson({ rates: rates.length, set: count });
  });
}

function rateView({ currency, settlementCurrency, rate, fromMs, untilMs, source }: ExchangeRateRow): object {
  return {
    currency,
    settlementCurrency,
    rate: rateText(rate),
    validFrom: new Date(fromMs).toISOString(),
    ...(untilMs !== null && { validUntil: new Date(untilMs).toISOString() }),
    source,
  };
}

function time(text: string): number {
  const ms = timeOf(text) ?? Date.parse(text);
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('Expected a time such as 2026-11-20 or 2026-11-20T12:00:00Z.');
  return ms;
}
