import type { StartRequest, TerminalDriver } from '@tillbridge/agent/drivers/driver.js';
import { developmentConfig } from '@tillbridge/agent/drivers/gertec/default-tables.js';
import { openGertecDriver } from '@tillbridge/agent/drivers/gertec/gertec-driver.js';
import { supervisePort } from '@tillbridge/agent/ports/port-supervisor.js';
import { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import { AutoCardholder } from '@tillbridge/hardware-sim/terminals/auto-cardholder.js';
import { Ppc930 } from '@tillbridge/hardware-sim/terminals/gertec/ppc930.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/protocol/seams/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';

/** The real driver and the simulated PPC930 on one memory pipe, with a cardholder who holds one card. */
export interface GertecBench {
  readonly driver: TerminalDriver;
  readonly twin: Ppc930;
  readonly clock: VirtualClock;
  /** Faults inside the twin that no status describes. */
  readonly faults: readonly unknown[];
  /** Lets virtual time pass until the promise settles. @throws Error when it does not within ten minutes */
  pass<T>(promise: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const TICK_MS = 50;
const MAX_TICKS = 12_000;
const INITIAL_KSN = Buffer.from('FFFF9876543210E00000', 'hex');

/** Pseudo-random bytes, the same in every run. */
function countingRandom(): { bytes(length: number): Uint8Array } {
  let next = 1;
  return {
    bytes(length) {
      return Uint8Array.from({ length }, () => {
        next = (next * 1_103_515_245 + 12_345) & 0x7fffffff;
        return (next >> 12) & 0xff;
      });
    },
  };
}

/** A request of EUR 12.34 on 20 November 2026; `floorLimitMinor` 0 asks the issuer always. */
export function saleRequest(change: Partial<StartRequest> = {}, floorLimitMinor = 5_000): StartRequest {
  return {
    kind: 'sale',
    amount: { minor: 1234, currency: 'EUR' },
    date: '261120',
    time: '101530',
    transactionSequenceNumber: 7,
    risk: {
      floorLimitMinor,
      randomSelectionThresholdMinor: 0,
      randomSelectionTargetPercent: 0,
      randomSelectionMaxPercent: 0,
    },
    cardTimeoutMs: 60_000,
    ...change,
  };
}

/** Sets up a bench whose cardholder holds the named card, and waits for the driver to be ready. */
export async function openBench(cardName: string): Promise<GertecBench> {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 10, 15));
  const faults: unknown[] = [];
  const twin = new Ppc930({
    id: 'T1',
    serial: '0000000000000001',
    clock,
    random: countingRandom(),
    presentAheadMs: 10_000,
    pinKey: { index: 1, initialKsn: INITIAL_KSN, slot: memorySlot() },
    dataKey: { index: 1, initialKsn: INITIAL_KSN, slot: memorySlot() },
    tables: memorySlot(),
    counters: memorySlot(),
    onFault: (error) => faults.push(error),
  });
  const slots = new Map<string, ReturnType<typeof memorySlot>>();
  const box = new CardBox((name) => {
    const slot = slots.get(name) ?? memorySlot();
    slots.set(name, slot);
    return slot as never;
  });
  const cardholder = new AutoCardholder(twin.front, { clock, box, defaultCard: cardName, delayMs: 100 });
  const port = supervisePort({
    clock,
    open: async (): Promise<BytePipe> => {
      const [host, device] = memoryPipe();
      twin.attach(device);
      return host;
    },
  });
  const config = developmentConfig({
    country: '276',
    currency: 'EUR',
    merchantCategory: '5999',
    merchantId: 'SHOP1',
    terminalId: 'T1',
  });
  const driver = openGertecDriver({ port, clock, config, log: { info: () => {}, warn: () => {} } });

  async function pass<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const mark = () => {
      settled = true;
    };
    promise.then(mark, mark);
    for (let tick = 0; tick < MAX_TICKS; tick += 1) {
      await settle();
      if (settled) return promise;
      await clock.advance(TICK_MS);
    }
    throw new Error('nothing came to an end in ten minutes of virtual time');
  }

  const ready = new Promise<void>((resolve) => {
    driver.onState((state) => {
      if (state === 'ready') resolve();
    });
  });
  await pass(ready);
  return {
    driver,
    twin,
    clock,
    faults,
    pass,
    async close() {
      cardholder.stop();
      await driver.close();
    },
  };
}
