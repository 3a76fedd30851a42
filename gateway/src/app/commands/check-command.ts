import { existsSync } from 'node:fs';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { Command } from 'commander';
import { ledgerRecord } from '../../core/acquirers/internal/ledger-record.js';
import { type LedgerPlace, openLedger } from '../../core/acquirers/internal/open-ledger.js';
import type { LinkRecord } from '../../core/acquirers/iso8583/journal/link-record.js';
import { linkRecords } from '../../core/acquirers/open/link-records.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import { gatewayFiles, ledgerPlace } from '../../kernel/data-folder/gateway-files.js';
import { EXIT_CODES } from '../../kernel/errors/error-table.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { Store } from '../../kernel/store/store.js';
import { configOf } from '../configuration/read-config.js';
import { nameOf } from '../ledger-check/difference.js';
import { type Explained, explainDifference } from '../ledger-check/explain-difference.js';
import { InvariantCheck } from '../ledger-check/invariant-check.js';
import { type KnownDifference, MAX_KNOWN } from '../ledger-check/known-differences.js';

/** `check`, `check explain`. */
export function addCheckCommands(program: Command): void {
  const check = addCommand(
    program,
    'check',
    'Compare payments, stored answers and the acquirer’s record once, whole. Exit code 1 when they differ.',
  )
    .option('--json', 'print the differences as JSON')
    .action(async (options: ConfigOption & { json?: boolean }) => {
      const found = await withStore(options, compareAll);
      process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : reportOf(found));
      if (found.length > 0) process.exitCode = EXIT_CODES.differences[2];
    });
  addCommand(
    check,
    'explain <kind> <subject>',
    'Record why a difference that cannot be corrected remains: it is counted no more.',
  )
    .requiredOption('--note <text>', 'the reason, for those who look later')
    .action((kind: string, subject: string, options: ConfigOption & { note: string }) =>
      withStore(options, (store) => explain(store, { kind, subject, note: options.note })),
    );
}

async function compareAll(
  store: Store,
  place: LedgerPlace | undefined,
  links: readonly LinkRecord[],
): Promise<readonly KnownDifference[]> {
  const ledger = place && (await openLedger(place));
  try {
    const quiet = { warn: () => undefined, error: () => undefined };
    const record = ledger && ledgerRecord(ledger);
    const records = [...(record ? [record] : []), ...links];
    const check = new InvariantCheck({ store, clock: systemClock, log: quiet, records });
    await check.full();
    return check.known.list();
  } finally {
    await ledger?.close();
  }
}

/** One line per difference. */
function reportOf(found: readonly KnownDifference[]): string {
  if (found.length === 0) return 'payments, stored answers and the acquirer’s record agree\n';
  const lines = found.map(({ kind, subject, detail }) => `${kind} ${nameOf(subject)}: ${detail}`);
  const more = found.length >= MAX_KNOWN ? ' or more' : '';
  const differences = found.length === 1 ? 'difference' : 'differences';
  return `${[...lines, `${found.length}${more} ${differences}`].join('\n')}\n`;
}

/** @throws OperatorError for an unknown kind, or a difference that is explained already */
async function explain(store: Store, about: Explained): Promise<void> {
  const { kind, subject } = about;
  if (!(await explainDifference({ store, clock: systemClock }, about)))
    throw new OperatorError(`${kind} ${subject} is explained already`);
}

function withStore<T>(
  options: ConfigOption,
  work: (store: Store, ledger: LedgerPlace | undefined, links: readonly LinkRecord[]) => Promise<T>,
): Promise<T> {
  const config = configOf(options);
  const { database } = gatewayFiles(config.home);
  const { databaseUrl } = config;
  if (databaseUrl === undefined && !existsSync(database))
    throw new OperatorError(`${config.home} has no gateway database yet`);
  return withHomeStore(config, (store) =>
    work(
      store,
      config.transport.mode === 'test' ? ledgerPlace(config) : undefined,
      linkRecords(config.acquirers, store),
    ),
  );
}
