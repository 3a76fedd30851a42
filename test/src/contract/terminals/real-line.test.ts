import { afterAll, afterEach, describe, test } from 'vitest';
import { openBench, type TerminalBench } from './bench.js';
import { CASES } from './cases.js';
import { IssuerHost } from './issuer-host.js';
import { MAKERS } from './makers.js';
import { runCase, sellAgain } from './run-case.js';

// Every maker, every transport it speaks over, every case: pseudo-terminals, Unix sockets of HID reports, TCP.

const host = new IssuerHost();
afterAll(() => host.close());

let bench: TerminalBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const LINES = MAKERS.flatMap((maker) =>
  maker.transports.map((transport) => [maker.deviceType, transport, maker] as const),
);

describe.skipIf(process.platform === 'win32').each(LINES)('%s over %s', (_, transport, maker) => {
  test('every case, one after the other on one line', { timeout: 120_000 }, async () => {
    bench = await openBench(maker, { wire: 'real', transport });
    for (const each of CASES) {
      if (!(each.needs ?? []).every((need) => maker.abilities.has(need))) continue;
      try {
        await runCase(bench, host, each);
      } catch (error) {
        throw new Error(`case "${each.name}" failed`, { cause: error });
      }
    }
    await sellAgain(bench, host);
  });
});
