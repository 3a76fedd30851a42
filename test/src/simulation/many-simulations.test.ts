import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { runManySimulations } from './many-simulations.js';

/** Long enough for a good thread to answer, on a busy machine too. */
const PATIENCE_MS = 60_000;
/** A limit for simulations that never end. */
const SHORT_MS = 50;

/** A thread that answers as the real one does, but of some seeds does something else. */
function openThread(odd: Readonly<Record<number, string>> = {}): () => Worker {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const odd = ${JSON.stringify(odd)};
    parentPort.on('message', (seed) => {
      if (odd[seed] !== undefined) return new Function('parentPort', 'seed', odd[seed])(parentPort, seed);
      parentPort.postMessage({ report: { seed, sales: 10, breaches: seed % 100 === 0 ? ['P2'] : [], situations: { 'replayed card refused': 2 } } });
    });`;
  return () => new Worker(code, { eval: true });
}

async function run(seeds: number, open: () => Worker, simulationLimitMs = PATIENCE_MS) {
  const failed = new Map<number, readonly string[]>();
  const totals = await runManySimulations(
    { seeds, from: 97, threads: 2, openThread: open, simulationLimitMs },
    { failed: (seed, breaches) => failed.set(seed, breaches), progress: () => {} },
  );
  const { situations, ...rest } = totals;
  return { totals: rest, situations, failed: [...failed].sort(([one], [other]) => one - other) };
}

describe('many simulations', () => {
  it('are run once each, and those that broke a promise are reported', async () => {
    const { totals, failed, situations } = await run(8, openThread());
    expect(totals).toEqual({ simulations: 8, passed: 7, sales: 80 });
    expect(failed).toEqual([[100, ['P2']]]);
    expect(situations.of('replayed card refused')).toEqual({ simulations: 8, times: 16, firstSeed: 97 });
  });

  it.each([
    ['whose thread ends', 'process.exit(3)', /its thread ended with exit code 3 and no answer/],
    ['whose thread throws', 'throw new Error("what a pity")', /its thread died: Error: what a pity/],
    [
      'that could not be run',
      'parentPort.postMessage({ seed, error: "out of memory" })',
      /^the simulation ended early: out of memory$/,
    ],
  ])('report one %s, with its seed, and go on', async (_how, code, reason) => {
    const { totals, failed } = await run(8, openThread({ 98: code, 104: code }));
    expect(totals).toEqual({ simulations: 8, passed: 5, sales: 60 });
    expect(failed.map(([seed]) => seed)).toEqual([98, 100, 104]);
    for (const [seed, breaches] of failed) if (seed !== 100) expect(breaches[0]).toMatch(reason);
  });

  it.each([
    ['never gives way', 'for (;;);'],
    ['waits for nothing', 'return undefined'],
  ])('report a simulation that %s, with its seed, after the limit', async (_how, code) => {
    const always = openThread({ 97: code, 98: code, 99: code });
    const { totals, failed } = await run(3, always, SHORT_MS);
    expect(totals).toEqual({ simulations: 3, passed: 0, sales: 0 });
    const hangs = [`the simulation ended early: it hangs: no end after ${SHORT_MS} ms`];
    expect(failed).toEqual([97, 98, 99].map((seed) => [seed, hangs]));
  });
});
