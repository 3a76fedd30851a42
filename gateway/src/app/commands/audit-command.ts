import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, type ConfigOption, printFrom } from '../../kernel/commands/command.js';
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
  return rows.map(({ createdAtMs, actor, action, subject, outcome, detail }) => ({
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
}

function timeText(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms) || ms < 0) throw new InvalidArgumentError('Expected a time of ISO 8601.');
  return ms;
}
