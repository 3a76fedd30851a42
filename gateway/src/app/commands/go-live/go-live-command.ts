import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { Argument, type Command } from 'commander';
import { auditOf } from '../../../kernel/audit/audit.js';
import { operatorName } from '../../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption } from '../../../kernel/commands/command.js';
import { EXIT_CODES } from '../../../kernel/errors/error-table.js';
import { isOperatorError, operatorText } from '../../../kernel/errors/operator-error.js';
import type { AuditRow } from '../../../kernel/store/rows.js';
import { StoreUnavailableError } from '../../../kernel/store/store.js';
import { configOf } from '../../configuration/read-config.js';
import { type GoLiveFacts, goLiveFacts } from './go-live-facts.js';
import { done, type GoLiveStep, type GoLiveVerdict, toDo } from './go-live-step.js';
import { GO_LIVE_STEPS } from './go-live-steps.js';

/** The action of the records of what a person has confirmed. */
const CONFIRM = 'go-live confirm';

/** A step as it stands. */
interface StepView extends GoLiveVerdict {
  readonly step: string;
  readonly title: string;
}

/** `go-live`, `go-live confirm`. */
export function addGoLiveCommands(program: Command): void {
  const goLive = addCommand(
    program,
    'go-live',
    'Look at each step from an empty machine to the first payment; print what is done, and how to do the rest. Exit code 1 while something is to do.',
  )
    .option('--json', 'print the steps as JSON')
    .action(async (options: ConfigOption & { json?: boolean }) => {
      const facts = goLiveFacts(configOf(options), process.env);
      const steps = await lookAtAll(facts);
      process.stdout.write(options.json ? `${JSON.stringify(steps, undefined, 2)}\n` : checklist(steps));
      if (steps.some(({ state }) => state === 'to do')) process.exitCode = EXIT_CODES.differences[2];
    });
  addCommand(
    goLive,
    'confirm',
    'State that a step is done, or is not needed; the record is that of an operator.',
  )
    .addArgument(new Argument('<step>', 'the step').choices(GO_LIVE_STEPS.map(({ name }) => name)))
    .requiredOption('--note <text>', 'who did what, and where the proof is')
    .action(async (step: string, options: ConfigOption & { note: string }) => {
      // The parent has an option of this name and takes its value.
      const config = goLive.opts<ConfigOption>().config ?? options.config;
      const { note } = options;
      await confirm(
        goLiveFacts(configOf({ ...(config !== undefined && { config }) }), process.env),
        step,
        note,
      );
      process.stdout.write(`${step}: confirmed\n`);
    });
}

async function confirm({ withStore }: GoLiveFacts, step: string, note: string): Promise<void> {
  const record = auditOf(
    { clock: systemClock, random: systemRandom },
    { actor: operatorName(), action: CONFIRM, subject: step, detail: { note } },
  );
  await withStore((store) => store.commit([record]));
}

async function lookAtAll(facts: GoLiveFacts): Promise<readonly StepView[]> {
  const views: StepView[] = [];
  for (const step of GO_LIVE_STEPS) {
    const { name, title } = step;
    views.push({ step: name, title, ...(await verdictOn(step, facts)) });
  }
  return views;
}

/** What stands against a look is to be done, too. */
async function verdictOn(step: GoLiveStep, facts: GoLiveFacts): Promise<GoLiveVerdict> {
  try {
    const verdict = await step.look(facts);
    if (verdict.state !== 'to do') return verdict;
    return confirmedVerdict(step, await facts.audit(), facts.nowMs) ?? verdict;
  } catch (error) {
    if (!isOperatorError(error) && !(error instanceof StoreUnavailableError)) throw error;
    return toDo(operatorText(error).split('\n')[0] ?? '', ...(step.name === 'home' ? ['init'] : []));
  }
}

function confirmedVerdict(
  { name, validMs = Number.POSITIVE_INFINITY }: GoLiveStep,
  audit: readonly AuditRow[],
  nowMs: number,
): GoLiveVerdict | undefined {
  const record = audit.findLast(({ action, subject }) => action === CONFIRM && subject === name);
  if (!record || nowMs - record.createdAtMs > validMs) return undefined;
  const { note } = JSON.parse(record.detail) as { readonly note: string };
  return done(`${note} (${record.actor}, ${new Date(record.createdAtMs).toISOString().slice(0, 10)})`);
}

/** The steps for a person: one line each, and below it the commands that do it. */
function checklist(steps: readonly StepView[]): string {
  const width = Math.max(...steps.map(({ step }) => step.length));
  const lines = steps.flatMap(({ step, state, detail, commands = [] }, at) => [
    `${String(at + 1).padStart(2)}. ${step.padEnd(width)}  ${state.padEnd('skipped'.length)}  ${detail}`,
    ...commands.map((command) => `${' '.repeat(width + 6)}tillbridge-gateway ${command}`),
  ]);
  const open = steps.filter(({ state }) => state === 'to do');
  const [next] = open;
  const end = next
    ? `${steps.length - open.length} of ${steps.length} steps are done; next: ${next.title}. Run go-live again after it.`
    : 'every step is done';
  return `${lines.join('\n')}\n${end}\n`;
}
