import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { isTimeZone, offsetText } from '@tillbridge/wire/text/local-time.js';
import { type Command, InvalidArgumentError } from 'commander';
import { requireEntity } from '../../core/entities/entities.js';
import { cronExpressionError } from '../../kernel/api/cron.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { findAll } from '../../kernel/store/all-rows.js';
import { planJob } from './rules/job-plan.js';
import { nextTimes } from './rules/next-run.js';
import { jobError } from './schedule-error.js';
import { SHOWN_RUNS, scheduleView } from './schedule-view.js';
import { setTimeZone, timeZoneOf } from './time-zones.js';

interface PreviewOptions {
  readonly timeZone: string;
  readonly from: number;
  readonly count: number;
}

/** Runs that `preview` shows at most. */
const MAX_PREVIEW = 1_000;

/** Commands of the feature. */
export const SCHEDULE_COMMANDS: readonly CommandGroup[] = [
  { name: 'schedules', description: 'Payments that are repeated by a calendar.', add: addScheduleCommands },
  { name: 'entity', add: addTimeZoneCommand },
];

/** `schedules list | show | preview`. */
function addScheduleCommands(schedules: Command): void {
  addCommand(schedules, 'list', 'List the schedules of a merchant or channel.')
    .requiredOption('--entity <id>', 'whose schedules')
    .action(({ entity, ...options }: ConfigOption & { entity: string }) =>
      withHomeStore(options.readConfig(), async (store) => {
        const rows = await findAll(store, 'schedules', 'entity', [entity]);
        printJson(rows.map((row) => scheduleView(row, systemClock.nowMs())));
      }),
    );
  addCommand(schedules, 'show <id>', 'Show a schedule, its last runs and its next ones.').action(
    (id: string, options: ConfigOption) =>
      withHomeStore(options.readConfig(), async (store) => {
        const row = await store.get('schedules', [id]);
        if (!row) throw new OperatorError(`there is no schedule ${id}: "schedules list" shows them`);
        const range = { equals: [id], descending: true, limit: SHOWN_RUNS };
        printJson(
          scheduleView(row, systemClock.nowMs(), await store.findRange('scheduleRuns', 'time', range)),
        );
      }),
  );
  schedules
    .command('preview <expression>')
    .description('Show when a cron expression of six or seven fields would run; nothing is stored.')
    .option('--time-zone <name>', 'IANA name', timeZone, 'UTC')
    .option('--from <time>', 'ISO 8601; without it now', timeOf, systemClock.nowMs())
    .option('--count <number>', `how many, up to ${MAX_PREVIEW}`, countOf, SHOWN_RUNS)
    .action((expression: string, options: PreviewOptions) => preview(expression, options));
}

/** `entity time-zone`. */
function addTimeZoneCommand(entity: Command): void {
  addCommand(
    entity,
    'time-zone <entity>',
    'Print the time zone in which the schedules of a merchant or channel run, or set it for new ones.',
  )
    .option('--set <name>', 'IANA name, such as Europe/Berlin', timeZone)
    .action(async (id: string, { set, ...options }: ConfigOption & { set?: string }) => {
      const config = options.readConfig();
      prepareHome(config.home);
      await withHomeStore(config, async (store) => {
        await requireEntity(store, id);
        if (set !== undefined) await setTimeZone(store, id, set);
        printJson({ entityId: id, timeZone: await timeZoneOf(store, id) });
      });
    });
}

function preview(expression: string, { timeZone: zone, from, count }: PreviewOptions): void {
  const wrong = cronExpressionError(expression);
  if (wrong !== undefined) throw new OperatorError(`expression: ${wrong}`);
  const plan = planJob({ expression }, zone, from);
  if ('code' in plan) throw jobError(plan);
  printJson({
    timeZone: zone,
    nextExecutions: nextTimes(plan, from, count).map((ms) => offsetText(ms, zone)),
  });
}

/** The name of a time zone. @throws InvalidArgumentError */
function timeZone(name: string): string {
  if (isTimeZone(name)) return name;
  throw new InvalidArgumentError('Expected an IANA time zone such as Europe/Berlin.');
}

function timeOf(text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('Expected a time such as 2026-11-20T12:00:00Z.');
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_PREVIEW) return count;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${MAX_PREVIEW}.`);
}
