import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { Command } from 'commander';
import { operatorName } from '../../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../../kernel/commands/command.js';
import { confirmRestore, lastRestoreGap } from '../../../kernel/restored-database/restore-gap.js';
import type { RestoreGapRow } from '../../../kernel/store/rows.js';
import { configOf } from '../../configuration/read-config.js';

/** What `restore show` prints. */
interface RestoreView {
  /** `none`: the database was never put back. */
  readonly state: 'none' | 'held' | 'confirmed';
  /** What is held: everything of before, or records of cards that may have been taken. */
  readonly holds?: 'tokens and agents' | 'records of cards';
  /** What was stored in between is forgotten; without `since` its begin is unknown. ISO 8601 UTC. */
  readonly since?: string;
  readonly until?: string;
  readonly foundAt?: string;
  /** How many of each were put right. */
  readonly reapplied?: unknown;
  readonly confirmedAt?: string;
  readonly note?: string;
}

/** `restore show | confirm`. */
export function addRestoreCommands(restore: Command): void {
  addCommand(
    restore,
    'show',
    'Print whether the database was put back from a backup, and what is held.',
  ).action(async (options: ConfigOption) =>
    printJson(viewOf(await withHomeStore(configOf(options), (store) => lastRestoreGap(store)))),
  );
  addCommand(restore, 'confirm', 'Trust the database as it is: nothing is held any more.')
    .requiredOption('--note <text>', 'what was looked at')
    .action(async ({ note, ...options }: ConfigOption & { note: string }) => {
      const confirmed = await withHomeStore(configOf(options), (store) =>
        confirmRestore({ store, clock, random, actor: operatorName() }, note),
      );
      printJson(viewOf(confirmed));
    });
}

/** A gap as it is printed. */
function viewOf(gap: RestoreGapRow | undefined): RestoreView {
  if (!gap) return { state: 'none' };
  const { sinceMs, untilMs, foundAtMs, isWhole, reapplied, closedAtMs, note } = gap;
  return {
    ...(closedAtMs === null
      ? { state: 'held', holds: isWhole ? 'records of cards' : 'tokens and agents' }
      : { state: 'confirmed' }),
    ...(sinceMs !== null && { since: isoOf(sinceMs) }),
    until: isoOf(untilMs),
    foundAt: isoOf(foundAtMs),
    reapplied: JSON.parse(reapplied) as unknown,
    ...(closedAtMs !== null && { confirmedAt: isoOf(closedAtMs) }),
    ...(note !== null && { note }),
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
