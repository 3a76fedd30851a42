import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { isCurrency } from '@tillbridge/wire/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { amountOrFault, exactAmount, type Money } from '@tillbridge/wire/payment/money.js';
import type { Command } from 'commander';
import { addCommand, type ConfigOption } from '../../../kernel/commands/command.js';
import { EXIT_CODES } from '../../../kernel/errors/error-table.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { configOf } from '../../configuration/read-config.js';
import { acquirerNamed } from './dialect-command.js';
import { readTrialCard } from './trial/trial-card.js';
import { TrialReport } from './trial/trial-report.js';

interface TryOptions extends ConfigOption {
  readonly entity: string;
  readonly card?: string;
  readonly amount: string;
  readonly currency: string;
  readonly json?: true;
}

/** Whole units of a currency that a trial sells for at most. */
const MAX_UNITS = 10;

const HELP = `
Steps: sign-on, echo test, a sale, its reversal. Each message is printed with its fields: number, name, value, meaning, and in brackets what the
dialect demands. Card data is masked. Exit code 0: every step passed; 1: one did not; 2: it could not begin.

The sale moves money at a host in production, until it is reversed. It is journaled before it is sent, and its approval together with its reversal:
whatever ends this command, the next gateway or trial on this home reverses it. It belongs to no payment.

The gateway of this home must be stopped meanwhile. What it left without an outcome is reversed here, as when it starts.

The card, a line for each value; the third line may be left out:
  4200000000000000
  12/34
  123`;

/** `acquirer try`. */
export function addTryCommand(acquirer: Command): void {
  addCommand(
    acquirer,
    'try <acquirer>',
    'Sign on at an acquirer’s host, test the line, sell for EUR 0.01 with a test card and reverse it.',
  )
    .requiredOption('--entity <id>', 'the merchant or channel whose route names merchant and terminal')
    .option(
      '--card <file>',
      'read the card from a file of mode 0600, or from standard input (-); without it the card is typed, and not shown',
    )
    .option('--amount <amount>', `amount of the sale, at most ${MAX_UNITS}.00`, '0.01')
    .option('--currency <code>', 'its currency', 'EUR')
    .option('--json', 'print the whole trial as one JSON object when it has ended')
    .addHelpText('after', HELP)
    .action(tryAcquirer);
}

async function tryAcquirer(name: string, options: TryOptions): Promise<void> {
  const config = configOf(options);
  const acquirer = acquirerNamed(config.acquirers, name);
  const amount = amountOf(options);
  const card = await readTrialCard(options.card);
  const { json } = options;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const dialect = configuredDialect(acquirer.dialect, acquirer.dialectChanges);
  const report = new TrialReport({ dialect, clock, ...(!json && { print }) });
  const { tryLink } = await import('./trial/run-trial.js');
  const wanted = { acquirer, entity: options.entity, amount, card };
  const { reference, hasPassed } = await tryLink(config, wanted, report);
  const { steps } = report;
  const verdict = hasPassed ? 'passed' : 'failed';
  if (json) {
    const about = { acquirer: name, dialect: acquirer.dialect, entity: options.entity };
    printJson({
      ...about,
      amount: exactAmount(amount),
      currency: amount.currency,
      reference,
      verdict,
      steps,
    });
  } else {
    print(`verdict: ${verdictOf(name, steps)}`);
  }
  if (!hasPassed) process.exitCode = EXIT_CODES.trial[2];
}

/** @throws OperatorError */
function amountOf({ amount: text, currency }: TryOptions): Money {
  if (!isCurrency(currency)) throw new OperatorError(`--currency: ${currency} is no currency of ISO 4217`);
  const amount = amountOrFault(text, currency);
  if (typeof amount === 'string') throw new OperatorError(`--amount: ${amount}`);
  const most = MAX_UNITS * 10 ** minorDigits(currency);
  if (amount.minor >= 1 && amount.minor <= most) return amount;
  throw new OperatorError(`--amount: a trial sells for more than nothing and at most ${MAX_UNITS}.00`);
}

function verdictOf(name: string, steps: TrialReport['steps']): string {
  const failed = steps.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return `${name} works: every step passed`;
  const what = failed.map(({ step, detail }) => `${step} failed, ${detail}`);
  return `${name} does not work as configured: ${what.join('; ')}`;
}
