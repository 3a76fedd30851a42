import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { Command } from 'commander';
import {
  ALERT_STATES,
  type AlertView,
  acknowledgeAlert,
  alertView,
  listAlerts,
} from '../../kernel/alerts/alert-list.js';
import { addCommand, type ConfigOption, printFrom } from '../../kernel/commands/command.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { AlertRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** `alerts list | show | acknowledge`. */
export function addAlertCommands(alerts: Command): void {
  addCommand(alerts, 'list', 'List the alerts that stand, the critical ones first.')
    .option('--all', 'those that have ended too')
    .action((options: ConfigOption & { all?: boolean }) =>
      printFrom(options, ({ store }) => alertsOf(store, options.all === true)),
    );
  addCommand(alerts, 'show <id>', 'Show one alert.').action((id: string, options: ConfigOption) =>
    printFrom(options, async ({ store }) => alertView(await alertOf(store, id))),
  );
  addCommand(alerts, 'acknowledge <id>', 'Record that a person deals with an alert: it is counted no more.')
    .requiredOption('--note <text>', 'who deals with it, and how')
    .action((id: string, options: ConfigOption & { note: string }) =>
      printFrom(options, ({ store }) => acknowledge(store, id, options.note)),
    );
}

/** The alerts that stand, or all. @throws StoreUnavailableError */
async function alertsOf(store: Store, all: boolean): Promise<readonly AlertView[]> {
  const rows = await listAlerts(store, all ? ALERT_STATES : ['open', 'acknowledged']);
  return rows.filter(({ endedAtMs }) => all || endedAtMs === null).map(alertView);
}

/** Acknowledges an alert. @throws OperatorError */
async function acknowledge(store: Store, id: string, note: string): Promise<AlertView> {
  const row = await acknowledgeAlert(store, await alertOf(store, id), note, systemClock.nowMs());
  if (!row) throw new OperatorError(`alert ${id} has just been changed: look again`);
  return alertView(row);
}

async function alertOf(store: Store, id: string): Promise<AlertRow> {
  const row = await store.get('alerts', [id]);
  if (!row) throw new OperatorError(`no alert has the id ${id}`);
  return row;
}
