import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { IssuerHost } from './issuer-host.js';
import { casesOf } from './lines.js';
import { FRAMINGS } from './makers.js';
import { runCase, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// Every maker, every case: the real driver and the simulated terminal on a line in memory, on a virtual clock.

const host = new IssuerHost();
afterAll(() => host.close());

let harness: TerminalHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

describe.each(FRAMINGS)('%s in memory', (_, maker, transport) => {
  const cases = casesOf(maker);

  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    harness = await openTerminalHarness(maker, { wire: 'memory', transport });
    await runCase(harness, host, each);
    await sellAgain(harness, host);
  });

  test('reports its condition', async () => {
    harness = await openTerminalHarness(maker, { wire: 'memory', transport });
    expect(await harness.pass(harness.driver.status())).toMatchObject({
      kind: 'condition',
      identity: { serial: expect.stringMatching(/\w+/) },
      keys: { data: expect.stringMatching(/loaded|unknown/) },
    });
  });
});
