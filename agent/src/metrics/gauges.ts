import { Gauge, type Registry } from 'prom-client';

/** A number that is read at each scrape; name without the agent's prefix. */
type ShownNumber = readonly [name: string, help: string, read: () => number];

/** The same by the values of one label; values of the same label are summed. */
type ShownNumbers = readonly [
  name: string,
  help: string,
  label: string,
  read: () => Iterable<readonly [value: string, number: number]>,
];

/** Shows numbers of the agent as they are at each scrape. */
export function showGauges(registry: Registry, rows: readonly (ShownNumber | ShownNumbers)[]): void {
  for (const row of rows) {
    const [name, help] = row;
    const shown = { name: `tillbridge_agent_${name}`, help, registers: [registry] };
    if (row.length === 3) {
      new Gauge({
        ...shown,
        collect() {
          this.set(row[2]());
        },
      });
    } else {
      const [, , label, read] = row;
      new Gauge({
        ...shown,
        labelNames: [label],
        collect() {
          this.reset();
          for (const [value, number] of read()) this.inc({ [label]: value }, number);
        },
      });
    }
  }
}

/** 1 for the word that holds, 0 for all others. */
export function wordHolds(words: readonly string[], now: string): (readonly [string, number])[] {
  return words.map((word) => [word, word === now ? 1 : 0]);
}
