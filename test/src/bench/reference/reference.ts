import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';

/** A measured figure, as `test/bench/latest.json` holds it. */
interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: number;
  readonly ratio: number;
  readonly goal: number;
}

/** Where figures were measured. */
interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
}

/** A row of the recorded reference, and when it was measured (`yyyy-mm-dd`). */
type ReferenceRow = Figure & { readonly measured: string };

/** The recorded reference: figures and the machine they were measured on. */
interface Reference {
  readonly machine: Machine;
  readonly rows: readonly ReferenceRow[];
}

/** How far a row is from the reference. */
interface Drift {
  readonly name: string;
  readonly ratio: number;
  /** Undefined for a row that the reference has not. */
  readonly reference: number | undefined;
  /** The change of the ratio in percent: below 0 is worse than the reference. */
  readonly driftPercent: number | undefined;
}

/** This machine. */
export function thisMachine(): Machine {
  const all = cpus();
  return {
    processor: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 1_024 ** 3),
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}

/** The reference in a file; undefined where there is none. */
export function readReference(file: string): Reference | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Reference;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the reference. */
export function writeReference(file: string, reference: Reference): void {
  writeFileSync(file, `${JSON.stringify(reference, undefined, 2)}\n`);
}

/** The reference with the rows of a run: they replace those of their names; rows of another machine do not stay. Pure. */
export function merged(
  before: Reference | undefined,
  machine: Machine,
  rows: readonly Figure[],
  measured: string,
): Reference {
  const isSame = before !== undefined && JSON.stringify(before.machine) === JSON.stringify(machine);
  const fresh = new Set(rows.map(({ name }) => name));
  const kept = isSame ? before.rows.filter(({ name }) => !fresh.has(name)) : [];
  return { machine, rows: [...kept, ...rows.map((row) => ({ ...row, measured }))] };
}

/** How the ratios of a run differ from the reference. Ratios are compared, not figures: each was measured with its baseline. Pure. */
export function driftOf(rows: readonly Figure[], reference: Reference): readonly Drift[] {
  const known = new Map(reference.rows.map((row) => [row.name, row.ratio]));
  return rows.map(({ name, ratio }) => {
    const before = known.get(name);
    const driftPercent = before === undefined ? undefined : Math.round((100 * (ratio - before)) / before);
    return { name, ratio, reference: before, driftPercent };
  });
}
