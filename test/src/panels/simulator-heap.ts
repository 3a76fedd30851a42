import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@tillbridge/hardware-sim/config/config.js';
import { buildControl } from '@tillbridge/hardware-sim/control/server.js';
import { ReceiptPrinter } from '@tillbridge/hardware-sim/printer/receipt-printer.js';
import { Recordings } from '@tillbridge/hardware-sim/recordings/recordings.js';
import { ScenarioStore } from '@tillbridge/hardware-sim/scenarios/scenario-store.js';
import { buildTerminals } from '@tillbridge/hardware-sim/simulator/simulator.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import type { Browser } from 'playwright-core';
import { SimulatorPanel } from './simulator-panel.js';

/** Frames that pass before the first measure: the page keeps as many rows as it ever will. */
const WARM_UP_EVENTS = 1_000;
/** Frames of one write, which a page that follows takes at once. */
const BATCH = 500;
/** A frame of one byte, on the line of the first terminal. */
const CONFIRMATION = 0x06;

/** Bytes of a page's heap after a collection, before and after so many events. */
interface HeapGrowth {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

/** Lets so many frames pass while the panel shows them, and measures its heap before and behind. */
export async function measureHeap(browser: Browser, events: number): Promise<HeapGrowth> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-heap-'));
  const config = loadConfig(undefined, { SIM_HOME: home, SIM_PORT: '0', SIM_LOG: join(home, 'log') });
  const terminals = buildTerminals(config, { clock: systemClock, random: systemRandom, onFault: () => {} });
  const control = buildControl({
    terminals,
    recordings: new Recordings(join(home, 'recordings'), systemClock),
    scenarios: new ScenarioStore(memorySlot()),
    printer: new ReceiptPrinter(systemClock, () => {}),
    proxy: undefined,
    gateway: undefined,
    acquirerControlUrl: undefined,
    hostNames: [],
    log: createLog('heap', config.log),
    startedAt: new Date().toISOString(),
  });
  const [host, device] = memoryPipe();
  const [terminal] = terminals.terminals.values();
  terminal?.line.attach(device);
  await control.listen({ host: '127.0.0.1', port: 0 });
  try {
    const { port } = control.server.address() as AddressInfo;
    const panel = await SimulatorPanel.open(browser, `http://127.0.0.1:${port}`);
    // Every row that the page may ever draw is drawn.
    await panel.page.getByLabel('Confirmations').check();
    await panel.page.getByRole('button', { name: 'Unfold all' }).click();
    const session = await panel.page.context().newCDPSession(panel.page);
    let passed = 0;
    const pass = async (count: number): Promise<void> => {
      for (const end = passed + count; passed < end; passed += BATCH) {
        await host.write(Buffer.alloc(BATCH, CONFIRMATION));
        await panel.page.getByText(`Frame ${passed + BATCH}:`).waitFor({ state: 'attached' });
      }
    };
    const measure = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    await pass(WARM_UP_EVENTS);
    const beforeBytes = await measure();
    await pass(events);
    const afterBytes = await measure();
    await panel.page.close();
    return { beforeBytes, afterBytes };
  } finally {
    await control.close();
    rmSync(home, { recursive: true, force: true });
  }
}
