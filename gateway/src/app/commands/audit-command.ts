import { readIfThere } from '@tillbridge/platform/read-file.js';
import { type Command, InvalidArgumentError } from 'commander';
import { type ChainPoint, type ChainReport, verifyAuditChain } from '../../kernel/audit/audit-chain.js';
import { addCommand, type ConfigOption, printFrom } from '../../kernel/commands/command.js';
import { auditChainKey } from '../../kernel/data-folder/audit-chain-key.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { AuditRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** What `audit list` prints of a record. */
export type AuditView = Pick<AuditRow, 'actor' | 'action' | 'subject' | 'outcome'> & {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly detail: unknown;
};

/** Every record since a time in milliseconds since 1970, oldest first. @throws StoreUnavailableError */
export async function listAudit(store: Pick<Store, 'findAfter'>, sinceMs = 0): Promise<readonly AuditView[]> {
  // Ids begin with their time.
  const rows = await allRows(store, 'audit', [sinceMs.toString(16).padStart(12, '0')]);
  // Work with a beginning and an end is shown once, as it ended.
  const ended = new Set(rows.map(({ endOf }) => endOf));
  return rows
    .filter(({ id }) => !ended.has(id))
    .map(({ createdAtMs, actor, action, subject, outcome, detail }) => ({
      at: new Date(createdAtMs).toISOString(),
      actor,
      action,
      subject,
      outcome,
      detail: JSON.parse(detail) as unknown,
    }));
}

/** `audit list`. */
export function addAuditCommands(audit: Command): void {
  addCommand(audit, 'list', 'List the records, oldest first. "begun": the command never came to its end.')
    .option('--since <time>', 'no older ones, such as 2026-11-20 or 2026-11-20T12:00:00Z', timeText)
    .action(async ({ since, ...options }: ConfigOption & { since?: number }) =>
      printFrom(options, ({ store }) => listAudit(store, since)),
    );
  addVerifyCommand(audit);
}

/** `audit verify`. */
function addVerifyCommand(audit: Command): void {
  addCommand(
    audit,
    'verify',
    'Check that no record was altered or deleted, against the chain of the records and the security log. Exit code 2 where one was.',
  )
    .option('--log <file>', 'security log to compare with; without it that of the configuration')
    .action(async ({ log, ...options }: ConfigOption & { log?: string }) => {
      const { home, log: logs } = options.readConfig();
      const file = log ?? logs.security?.target;
      const seen = file === undefined ? [] : chainPoints(file);
      let report: ChainReport | undefined;
      await printFrom(options, async ({ store }) => {
        const key = auditChainKey(home);
        if (!key) throw new OperatorError(`${home} has no keys: there is no chain`);
        report = await verifyAuditChain(store, key, seen);
        return { ...report, compared: seen.length };
      });
      const [fault] = report?.faults ?? [];
      if (fault) throw new OperatorError(`record ${fault.sequence} is ${fault.fault}`);
    });
}

/** Places of records in a security log; lines of other events have none. */
function chainPoints(file: string): readonly ChainPoint[] {
  const lines = (readIfThere(file)?.toString('utf8') ?? '').split('\n');
  return lines.flatMap((line) => {
    if (!line.includes('"link"')) return [];
    try {
      const { sequence, link } = JSON.parse(line) as Partial<ChainPoint>;
      return sequence !== undefined && link !== undefined ? [{ sequence, link }] : [];
    } catch {
      // A line that a full disk has cut.
      return [];
    }
  });
}

function timeText(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms) || ms < 0) throw new InvalidArgumentError('Expected a time of ISO 8601.');
  return ms;
}
