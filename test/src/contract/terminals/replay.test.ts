import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartOutcome } from '@tillbridge/agent/drivers/core/driver.js';
import { supervisePort } from '@tillbridge/agent/ports/port-supervisor.js';
import { openTraceFile, type TraceFile } from '@tillbridge/agent/ports/recording-pipe.js';
import { ReplayDevice } from '@tillbridge/hardware-sim/replay/replay-device.js';
import { replayPlan } from '@tillbridge/hardware-sim/replay/replay-plan.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { decodeTrace } from '@tillbridge/wire/terminals/trace/trace.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDriver } from './maker.js';
import { MAKERS } from './makers.js';
import { saleRequest } from './run-case.js';
import { openTerminalHarness, passVirtual } from './terminal-harness.js';

// A session recorded with a terminal, played back to a fresh driver: it must come to the same end.

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'replay-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const REQUEST = saleRequest({});
const quiet = (): void => {};
const IDLE_MS = 1_000;

/** The idle display is shown before the sale begins, both times. */
function idle(clock: Clock, pass: <T>(promise: Promise<T>) => Promise<T>): Promise<void> {
  return pass(new Promise<void>((resolve) => clock.setTimer(IDLE_MS, resolve)));
}

describe.each(MAKERS.map((maker) => [maker.deviceType, maker] as const))('%s', (deviceType, maker) => {
  const transport = maker.transports[0];

  async function recorded(path: string): Promise<StartOutcome> {
    let trace: TraceFile | undefined;
    const harness = await openTerminalHarness(maker, {
      wire: 'memory',
      wrap: (pipe, clock) => {
        const fault = (reason: string): never => {
          throw new Error(reason);
        };
        trace = openTraceFile({ path, header: { deviceType, transport }, clock, onFault: fault });
        return trace.watch(pipe);
      },
    });
    harness.cardholder.follow({ cards: [{ card: 'visa-credit-online' }] });
    await idle(harness.clock, harness.pass);
    const outcome = await harness.pass(harness.driver.start(REQUEST, quiet));
    await harness.close();
    trace?.close();
    return outcome;
  }

  test('a recorded sale is read again from its recording', async () => {
    const path = join(home, 'trace.jsonl');
    const first = await recorded(path);
    const { events, header } = decodeTrace(readFileSync(path, 'utf8'));
    expect(header).toMatchObject({ deviceType, transport });
    const clock = new VirtualClock(Date.UTC(2026, 10, 20, 10, 15));
    const device = new ReplayDevice({ steps: replayPlan(events), clock, speed: 1 });
    const port = supervisePort({
      clock,
      open: async () => {
        const [host, end] = memoryPipe();
        device.attach(end);
        return host;
      },
    });
    const driver = openDriver(maker, { port, clock, log: { info: quiet, warn: quiet }, transport });
    const ready = new Promise<void>((resolve) => {
      driver.onState((state) => {
        if (state === 'ready') resolve();
      });
    });
    await passVirtual(clock, ready);
    await idle(clock, (promise) => passVirtual(clock, promise));
    const again = await passVirtual(clock, driver.start(REQUEST, quiet));
    expect(again).toEqual(first);
    expect(again.kind).toBe('online-required');
    await driver.close();
  });
});
