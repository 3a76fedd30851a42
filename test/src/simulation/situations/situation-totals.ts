import {
  RARE_SITUATIONS,
  type RareSituation,
  SITUATION_NAMES,
  type SituationCounts,
} from './rare-situations.js';

/** A run of at least so many simulations must meet every rare situation; a smaller one may miss some by chance. */
export const SEEDS_FOR_COVERAGE = 1_000;

/** How often a situation happened in a run. */
interface SituationTotal {
  /** Simulations in which it happened. */
  readonly simulations: number;
  readonly times: number;
  /** Lowest seed whose simulation shows it. */
  readonly firstSeed: number;
}

/** Adds up the rare situations of many simulations; their order does not matter. */
export class SituationTotals {
  readonly #totals = new Map<RareSituation, SituationTotal>();
  #simulations = 0;

  /** Takes the counts of one simulation into account. */
  add(seed: number, counts: SituationCounts): void {
    this.#simulations += 1;
    for (const name of SITUATION_NAMES) {
      const times = counts[name] ?? 0;
      if (times === 0) continue;
      const before = this.#totals.get(name) ?? { simulations: 0, times: 0, firstSeed: seed };
      this.#totals.set(name, {
        simulations: before.simulations + 1,
        times: before.times + times,
        firstSeed: Math.min(before.firstSeed, seed),
      });
    }
  }

  /** Total of a situation; `undefined` when it happened in no simulation. */
  of(name: RareSituation): SituationTotal | undefined {
    return this.#totals.get(name);
  }

  /** Situations that happened in no simulation, where the run was large enough to require them. */
  missing(): readonly RareSituation[] {
    return this.#simulations < SEEDS_FOR_COVERAGE
      ? []
      : SITUATION_NAMES.filter((name) => !this.#totals.has(name));
  }

  /** A table in lines: situation, simulations, times, first seed. */
  table(): readonly string[] {
    const rows = SITUATION_NAMES.map((name) => {
      const { simulations = 0, times = 0, firstSeed = '-' } = this.#totals.get(name) ?? {};
      return line(name, simulations, times, firstSeed);
    });
    return [line('situation', 'simulations', 'times', 'first seed'), ...rows];
  }
}

const NAME_WIDTH = Math.max(...SITUATION_NAMES.map(({ length }) => length));

function line(name: string, ...values: readonly (string | number)[]): string {
  return [name.padEnd(NAME_WIDTH), ...values.map((value) => String(value).padStart(10))].join(' ');
}

/** What a run prints about a situation that it did not meet. */
export function missingText(name: RareSituation): string {
  return `not met in any simulation: ${name} (${RARE_SITUATIONS[name]})`;
}
