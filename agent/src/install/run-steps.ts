import { EXIT_CODES } from '../errors/error-table.js';
import type { PlannedStep } from './install-plan.js';
import type { StepResult } from './system-steps.js';

/** What became of a step. `unchanged`: it was as it should be. */
export interface StepReport {
  readonly id: string;
  readonly state: 'planned' | 'done' | 'unchanged' | 'skipped' | 'failed';
  readonly text: string;
  readonly todo: readonly string[];
}

/** What became of all steps. */
export interface StepsReport {
  readonly steps: readonly StepReport[];
  readonly exitCode: number;
}

/** Where steps are printed, and what they end with. */
export interface StepsDeps {
  readonly output: { out(text: string): void; note(text: string): void };
  /** Exit code of an error whose message shows the user what to do; undefined for a fault of the program itself. */
  readonly exitCodeOf: (error: unknown) => number | undefined;
}

interface StepsOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

const UNTOUCHED = { done: 'unchanged', skip: 'skipped', do: 'planned' } as const;

/**
 * Carries out planned steps in their order and prints each; a step that throws ends them.
 * @throws what is a fault of the program itself
 */
export async function runSteps<Id extends string>(
  steps: readonly PlannedStep<Id>[],
  work: Readonly<Record<Id, () => Promise<StepResult>>>,
  options: StepsOptions,
  { output, exitCodeOf }: StepsDeps,
): Promise<StepsReport> {
  const reports: StepReport[] = [];
  let exitCode = 0;
  const width = Math.max(...steps.map(({ id }) => id.length));
  for (const [at, step] of steps.entries()) {
    const report = async (): Promise<StepReport> => {
      if (step.state !== 'do' || options.dryRun) return untouched(step);
      if (!options.json) output.note(`step ${at + 1} of ${steps.length}: ${step.text} ...`);
      const { text, todo = [], isBad } = await work[step.id]();
      if (isBad) exitCode = EXIT_CODES.declined[2];
      return { id: step.id, state: isBad ? 'failed' : 'done', text, todo };
    };
    let isOver = false;
    try {
      reports.push(await report());
    } catch (error) {
      const code = exitCodeOf(error) ?? systemFault(error);
      if (code === undefined) throw error;
      exitCode = code;
      isOver = true;
      reports.push({ id: step.id, state: 'failed', text: (error as Error).message, todo: [] });
    }
    const last = reports.at(-1);
    if (last && !options.json) output.out(`${last.id.padEnd(width)}  ${last.state.padEnd(9)}  ${last.text}`);
    if (isOver) break;
  }
  return { steps: reports, exitCode };
}

function untouched({ id, state, text }: PlannedStep<string>): StepReport {
  return { id, state: UNTOUCHED[state], text, todo: [] };
}

/** A file or user that the operating system refuses. */
function systemFault(error: unknown): number | undefined {
  return error instanceof Error && 'syscall' in error ? EXIT_CODES.usage[2] : undefined;
}
