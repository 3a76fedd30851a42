import { createReadStream, existsSync } from 'node:fs';
import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { present } from '@tillbridge/wire/present.js';
import type { Command } from 'commander';
import { ledgerRecord } from '../../../core/acquirers/internal/ledger-record.js';
import { openLedger } from '../../../core/acquirers/internal/open-ledger.js';
import { Chargebacks } from '../../../core/payments/chargebacks/chargebacks.js';
import { SnapshotEvents } from '../../../core/payments/events/snapshot-events.js';
import { SHIPPED_BIN_TABLE } from '../../../core/payments/shipped-bin-table.js';
import { Alerts } from '../../../kernel/alerts/alerts.js';
import { addCommand, type ConfigOption } from '../../../kernel/commands/command.js';
import { BUILD_NUMBER } from '../../../kernel/configuration/build-number.js';
import { gatewayFiles, ledgerPlace } from '../../../kernel/data-folder/gateway-files.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { EntityEvents } from '../../../kernel/events/entity-events.js';
import { loadKeyFile } from '../../../security/keys/key-file.js';
import { accountOf, createOrganisation, readFees, setAccount } from '../administration.js';
import { giveFtpAccount, removeFtpAccount } from '../ftp/ftp-account.js';
import { STANDARD_FORM } from '../import/csv-form.js';
import type { AcquirerFileDeps } from '../import/import-acquirer-file.js';
import { mappingOf } from '../import/mapping-file.js';
import { recordJson } from '../rules/columns.js';
import { timeOf } from '../rules/import-row.js';
import { runSettlement, type SettlementDeps } from '../service.js';
import { recordViews } from '../settlement-pages.js';
import { settlementView } from '../settlement-view.js';
import { addRateCommands } from './rate-commands.js';
import { type SettlementCommandDeps, withSettlementStore } from './settlement-store.js';

/** What is raised is stored; the running gateway reports it. */
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Largest file of fees or of a mapping, in bytes. */
const MAX_FILE_BYTES = 65_536;
/** How often the progress of an import is printed, in milliseconds. */
const PROGRESS_MS = 5_000;
/** Of `yyyy-mm-dd`. */
const DAY_LENGTH = 10;
/** Settlements that `list` prints by default. */
const LIST_LIMIT = 100;

const FEES_HELP = `
What a file of fees may say, each part optional; amounts are minor units of the currency that the merchant is paid in:
  {"basisPoints": 140, "fixedMinor": 5, "perOperation": {"AUTH_FEE": 2, "CAPTURE_FEE": 0, "CANCEL_FEE": 2, "REFUND_FEE": 10}}
What is set counts from the next settlement on.`;

interface AccountOptions extends ConfigOption {
  readonly above?: string;
  readonly clearingMerchantId?: string;
  readonly currency?: string;
  readonly fees?: string;
}

const MAPPING_HELP = `
Rows that are wrong, or fit no payment or several, are reported on standard error with their line. The same row again changes nothing.
A mapping file, with the headings of specification 2.11 and those of the file; values and defaults may be left out:
  {"delimiter": ",", "columns": {"Amount": "Gross", "Currency": "Ccy"},
   "values": {"ReconciliationType": {"S": "SETTLED"}}, "defaults": {"SettlementFileFormat": "ACME"}}`;

/** `settlement run | list | show | account | ftp-account | organisation | import | rates`. */
export function addSettlementCommands(settlement: Command): void {
  addCommand(
    settlement,
    'run',
    'Settle what has happened until now, and write the reconciliation files.',
  ).action(run);
  addCommand(settlement, 'list <entity>', 'List the settlements of a merchant or channel, the newest first.')
    .option('--limit <n>', 'how many', String(LIST_LIMIT))
    .action((entityId: string, { limit, ...options }: ConfigOption & { limit: string }) =>
      withSettlementStore(options, async ({ store }) => {
        const found = await store.findRange('settlements', 'owner', {
          equals: [entityId],
          descending: true,
          limit: Math.min(Number(limit) || LIST_LIMIT, 1_000),
        });
        printJson(found.map(settlementView));
      }),
    );
  addCommand(
    settlement,
    'show <settlement>',
    'Print a settlement and each of its records, a line of JSON each.',
  ).action((id: string, options: ConfigOption) =>
    withSettlementStore(options, async (deps) => {
      const found = await deps.store.get('settlements', [id]);
      if (!found) throw new OperatorError(`there is no settlement ${id}: "settlement list" shows them`);
      process.stdout.write(`${JSON.stringify(settlementView(found))}\n`);
      for await (const view of recordViews(deps, [found]))
        process.stdout.write(`${JSON.stringify(recordJson(view))}\n`);
    }),
  );
  addCommand(settlement, 'account <merchant>', 'Print how a merchant is settled, or change it.')
    .option('--above <id>', 'the PSP or division that it stands under')
    .option('--clearing-merchant-id <id>', 'its number at the clearing institute, 5 to 64 characters')
    .option('--currency <code>', 'what it is paid in; "own": each payment in its own')
    .option('--fees <file>', 'replace its fees by those of this JSON file')
    .addHelpText('after', FEES_HELP)
    .action(account);
  addCommand(
    settlement,
    'ftp-account <merchant>',
    'Give a merchant an account at the FTP location of its files, or a new password; print it this once.',
  )
    .option('--remove', 'take the account away')
    .action(ftpAccount);
  addCommand(settlement, 'organisation', 'Create a PSP, or a division of one, that merchants stand under.')
    .requiredOption('--name <text>', 'for people')
    .option('--psp <id>', 'the PSP of a new division; without it a PSP is created')
    .action(({ name, psp, ...options }: ConfigOption & { name: string; psp?: string }) =>
      withSettlementStore(options, async (deps) =>
        printJson(await createOrganisation(deps, { name, ...present({ pspId: psp }) })),
      ),
    );
  addCommand(settlement, 'import <file>', 'Import a settlement or chargeback file of an acquirer.')
    .option('--mapping <file>', 'how its columns are named, in JSON; without it those of specification 2.11')
    .option('--whole', 'import nothing where a row is wrong')
    .option(
      '--acquirer <name>',
      'the link whose host wrote it: all of the days in it, for the consistency check',
    )
    .option('--day <yyyy-mm-dd>', 'with --acquirer: the settlement day of a file without rows')
    .addHelpText('after', MAPPING_HELP)
    .action(importSettlement);
  addRateCommands(settlement);
}

interface ImportOptions extends ConfigOption {
  readonly mapping?: string;
  readonly whole?: true;
  readonly acquirer?: string;
  readonly day?: string;
}

async function importSettlement(
  file: string,
  { mapping, whole, acquirer, day, ...options }: ImportOptions,
): Promise<void> {
  const { importAcquirerFile } = await import('../import/import-acquirer-file.js');
  const form = mapping === undefined ? STANDARD_FORM : mappingOf(mapping);
  if (!existsSync(file)) throw new OperatorError(`${file} is not there`);
  if (day !== undefined && acquirer === undefined) throw new OperatorError('--day needs --acquirer');
  const settlementDay = day === undefined ? undefined : dayOf(day);
  const reportLine = (line: number, what: string): void =>
    void process.stderr.write(`line ${line}: ${what}\n`);
  const { mode } = options.readConfig().transport;
  await withSettlementStore(options, async (deps) => {
    if (acquirer !== undefined) await requireLink(deps, acquirer);
    const alerts = new Alerts({ store: deps.store, clock, log: QUIET });
    const events = new SnapshotEvents({
      events: new EntityEvents(deps.store, clock),
      random,
      bins: SHIPPED_BIN_TABLE,
      buildNumber: BUILD_NUMBER,
    });
    const chargebacks = new Chargebacks({ context: { ...deps, events, mode }, alerts });
    const { refused, report } = await importAcquirerFile(
      { ...deps, chargebacks, reportLine, progress: progressOf() },
      {
        open: () => createReadStream(file),
        form,
        whole: whole === true,
        ...present({ acquirer, day: settlementDay }),
      },
    );
    const { wrong, rows } = report;
    if (refused) throw new OperatorError(`${wrong} of ${rows} rows are wrong: nothing was imported`);
    printJson(report);
    if (wrong > 0) throw new OperatorError(`${wrong} of ${rows} rows were not imported`);
  });
}

/** @throws OperatorError where no link of this name has ever sent a message */
async function requireLink({ store }: SettlementCommandDeps, acquirer: string): Promise<void> {
  if (await store.get('linkNumbers', [acquirer])) return;
  throw new OperatorError(
    `no message was ever sent to ${acquirer}: "acquirers" of the configuration lists the links`,
  );
}

/** A day `yyyy-mm-dd` as a number. @throws OperatorError */
function dayOf(text: string): number {
  if (text.length > DAY_LENGTH || timeOf(text) === undefined)
    throw new OperatorError(`--day: ${text} is no day, such as 2026-11-23`);
  return Number(text.replaceAll('-', ''));
}

/** Prints the progress of a long file from time to time. */
function progressOf(): NonNullable<AcquirerFileDeps['progress']> {
  let reportedMs = clock.monotonicMs();
  return (done, { rows, wrong }) => {
    if (clock.monotonicMs() - reportedMs < PROGRESS_MS) return;
    reportedMs = clock.monotonicMs();
    process.stderr.write(`${rows} rows ${done}, ${wrong} wrong\n`);
  };
}

async function ftpAccount(
  merchantId: string,
  { remove, ...options }: ConfigOption & { remove?: true },
): Promise<void> {
  await withSettlementStore(options, async (deps) => {
    if (remove) await removeFtpAccount(deps, merchantId);
    else {
      const tokenKey = loadKeyFile(gatewayFiles(options.readConfig().home).tokenKey);
      printJson(await giveFtpAccount({ ...deps, tokenKey }, merchantId));
    }
  });
}

async function account(
  merchantId: string,
  { above, currency, fees, ...options }: AccountOptions,
): Promise<void> {
  const { clearingMerchantId } = options;
  await withSettlementStore(options, async (deps) => {
    const change = {
      ...present({ aboveId: above, clearingMerchantId }),
      ...(currency !== undefined && { currency: currency === 'own' ? null : currency }),
      ...(fees !== undefined && { fees: readFees(textOf(fees), fees) }),
    };
    if (Object.keys(change).length > 0) await setAccount(deps, merchantId, change);
    printJson(await accountOf(deps, merchantId));
  });
}

function textOf(file: string): string {
  const refuse = (reason: string) => new OperatorError(`${file} ${reason}`);
  return readSmallFile(file, MAX_FILE_BYTES, refuse).toString('utf8');
}

async function run(options: ConfigOption): Promise<void> {
  const config = options.readConfig();
  const files = gatewayFiles(config.home);
  await withSettlementStore(options, async (deps) => {
    // Chargebacks that no gateway has booked yet are settled by the next run.
    const bookChargebacks = async (): Promise<void> => undefined;
    const alerts = new Alerts({ store: deps.store, clock, log: QUIET });
    const settlement: SettlementDeps = { ...deps, folder: files.reconciliation, bookChargebacks, alerts };
    if (config.transport.mode === 'live') return printRun(settlement);
    const ledger = await openLedger(ledgerPlace(config));
    try {
      await printRun({ ...settlement, record: ledgerRecord(ledger) });
    } finally {
      await ledger.close();
    }
  });
}

async function printRun(deps: SettlementDeps): Promise<void> {
  const { settlements, files, failed } = await runSettlement(deps);
  const done = { settlements: settlements.map(settlementView), files: files.map(({ name }) => name) };
  printJson({ ...done, ...(failed.length > 0 && { failed }) });
  if (failed.length > 0)
    throw new OperatorError(
      `${failed.length} ${failed.length === 1 ? 'part' : 'parts'} of the run failed: "alerts list" shows what to do`,
    );
}
