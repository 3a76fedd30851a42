import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openBench, type TerminalBench } from './bench.js';
import { IssuerHost } from './issuer-host.js';
import { casesOf } from './lines.js';
import { FRAMINGS } from './makers.js';
import { runCase, sellAgain } from './run-case.js';

// Every maker, every case: the real driver and the simulated terminal on a line in memory, on a virtual clock.

const host = new IssuerHost();
afterAll(() => host.close());

let bench: TerminalBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

describe.each(FRAMINGS)('%s in memory', (_, maker, transport) => {
  const cases = casesOf(maker);

  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    bench = await openBench(maker, { wire: 'memory', transport });
    await runCase(bench, host, each);
    await sellAgain(bench, host);
  });

  test('tells its condition', async () => {
    bench = await openBench(maker, { wire: 'memory', transport });
    expect(await bench.pass(bench.driver.status())).toMatchObject({
      kind: 'condition',
      identity: { serial: expect.stringMatching(/\w+/) },
      keys: { data: expect.stringMatching(/loaded|unknown/) },
    });
  });
});
