/** Commits on an engine, and what can be seen of them: the same for the engine on real files and its model in memory. */
interface WorkloadOptions<Engine, Commit> {
  /** Commits of one group are begun at once; `reopen` closes the files and opens them again. */
  readonly steps: readonly (readonly Commit[] | 'reopen')[];
  /** Opens the files of a folder with the code that opens them in a shop. @throws when they cannot be used */
  open(folder: string): Promise<Engine>;
  /** The engine in memory that passes the same contract. */
  inMemory(): Engine;
  carryOut(engine: Engine, commit: Commit): Promise<unknown>;
  /** Everything that was committed, as text. */
  show(engine: Engine): Promise<string>;
  /** Checks the engine by its own means, and that it takes one more commit. @throws when something is wrong */
  examine(engine: Engine): Promise<void>;
  close(engine: Engine): Promise<void>;
}

/** A workload without the type of its engine. */
export interface Workload {
  /** Commits in all. */
  readonly commits: number;
  /** Carries it out on real files; `acknowledged` is called with the number of commits that the engine has acknowledged. */
  run(folder: string, acknowledged: (commits: number) => void): Promise<void>;
  /** What is to be seen after 0, 1, 2, … commits. */
  states(): Promise<readonly string[]>;
  /** What is to be seen in files that a power cut left. @throws when they cannot be used or are not sound */
  recover(folder: string): Promise<string>;
}

/** Makes a workload. */
export function workload<Engine, Commit>(options: WorkloadOptions<Engine, Commit>): Workload {
  return {
    commits: options.steps.reduce((sum, step) => sum + (step === 'reopen' ? 0 : step.length), 0),
    run: (folder, acknowledged) => run(options, folder, acknowledged),
    states: () => states(options),
    recover: (folder) => recover(options, folder),
  };
}

async function run<Engine, Commit>(
  options: WorkloadOptions<Engine, Commit>,
  folder: string,
  acknowledged: (commits: number) => void,
): Promise<void> {
  let engine = await options.open(folder);
  let commits = 0;
  for (const step of options.steps) {
    if (step === 'reopen') {
      await options.close(engine);
      engine = await options.open(folder);
      continue;
    }
    const current = engine;
    await Promise.all(step.map((commit) => options.carryOut(current, commit)));
    commits += step.length;
    acknowledged(commits);
  }
  await options.close(engine);
}

async function states<Engine, Commit>(options: WorkloadOptions<Engine, Commit>): Promise<readonly string[]> {
  const engine = options.inMemory();
  const seen = [await options.show(engine)];
  for (const step of options.steps) {
    for (const commit of step === 'reopen' ? [] : step) {
      await options.carryOut(engine, commit);
      seen.push(await options.show(engine));
    }
  }
  return seen;
}

async function recover<Engine, Commit>(
  options: WorkloadOptions<Engine, Commit>,
  folder: string,
): Promise<string> {
  const engine = await options.open(folder);
  try {
    const shown = await options.show(engine);
    await options.examine(engine);
    return shown;
  } finally {
    await options.close(engine);
  }
}

/** A row with its columns in the order of their names: engines give them in their own. */
export function columnsByName(row: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}
