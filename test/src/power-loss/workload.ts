/** Commits on an engine, and what can be seen of them: the same for the engine on real files and its model in memory. */
interface WorkloadParts<Engine, Commit> {
  /** Commits of one group are begun at once; `reopen` closes the files and opens them again. */
  readonly steps: readonly (readonly Commit[] | 'reopen')[];
  /** Opens the files of a folder with the code that opens them in a shop. @throws when they cannot be used */
  open(folder: string): Promise<Engine>;
  /** The engine in memory that passes the same contract. */
  inMemory(): Engine;
  carryOut(engine: Engine, commit: Commit): Promise<unknown>;
  /** Everything that was committed, as text. */
  show(engine: Engine): Promise<string>;
  /** Checks what the engine can say of itself, and that it takes one more commit. @throws when something is wrong */
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
export function workload<Engine, Commit>(parts: WorkloadParts<Engine, Commit>): Workload {
  return {
    commits: parts.steps.reduce((sum, step) => sum + (step === 'reopen' ? 0 : step.length), 0),
    run: (folder, acknowledged) => run(parts, folder, acknowledged),
    states: () => states(parts),
    recover: (folder) => recover(parts, folder),
  };
}

async function run<Engine, Commit>(
  parts: WorkloadParts<Engine, Commit>,
  folder: string,
  acknowledged: (commits: number) => void,
): Promise<void> {
  let engine = await parts.open(folder);
  let commits = 0;
  for (const step of parts.steps) {
    if (step === 'reopen') {
      await parts.close(engine);
      engine = await parts.open(folder);
      continue;
    }
    const current = engine;
    await Promise.all(step.map((commit) => parts.carryOut(current, commit)));
    commits += step.length;
    acknowledged(commits);
  }
  await parts.close(engine);
}

async function states<Engine, Commit>(parts: WorkloadParts<Engine, Commit>): Promise<readonly string[]> {
  const engine = parts.inMemory();
  const seen = [await parts.show(engine)];
  for (const step of parts.steps) {
    for (const commit of step === 'reopen' ? [] : step) {
      await parts.carryOut(engine, commit);
      seen.push(await parts.show(engine));
    }
  }
  return seen;
}

async function recover<Engine, Commit>(
  parts: WorkloadParts<Engine, Commit>,
  folder: string,
): Promise<string> {
  const engine = await parts.open(folder);
  try {
    const shown = await parts.show(engine);
    await parts.examine(engine);
    return shown;
  } finally {
    await parts.close(engine);
  }
}

/** A row with its columns in the order of their names: engines give them in their own. */
export function columnsByName(row: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}
