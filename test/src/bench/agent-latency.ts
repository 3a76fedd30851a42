import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSessionDriver } from '@tillbridge/agent/drivers/core/session-driver.js';
import { openMaker } from '@tillbridge/agent/drivers/gertec/session.js';
import { BlobCipher } from '@tillbridge/agent/journal/blob-cipher.js';
import { SEALING_KEY_BYTES } from '@tillbridge/agent/journal/sealed-bytes.js';
import { SqliteJournal } from '@tillbridge/agent/journal/sqlite-journal.js';
import { supervisePort } from '@tillbridge/agent/ports/port-supervisor.js';
import { DEFAULT_POLICY } from '@tillbridge/agent/sale/machine/state/policy.js';
import { SaleRunner } from '@tillbridge/agent/sale/runner.js';
import type { ConnectBridge } from '@tillbridge/agent/uplink/bridge-socket.js';
import { BridgeUplink } from '@tillbridge/agent/uplink/bridge-uplink.js';
import { enrolledHome, memoryTrust } from '@tillbridge/agent/uplink/enrolled-home.test.support.js';
import { websocketConnector } from '@tillbridge/agent/uplink/websocket-connector.js';
import {
  type BridgeHarness,
  openBridgeHarness,
  TEST_PINS,
} from '@tillbridge/gateway/core/bridge/test-agent.test.support.js';
import { AGENT, exampleDevice } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import { AutoCardholder } from '@tillbridge/hardware-sim/terminals/core/auto-cardholder.js';
import type { SimulatedDevice } from '@tillbridge/hardware-sim/terminals/core/simulated-device.js';
import { modelSpec } from '@tillbridge/hardware-sim/terminals/models.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { pino } from 'pino';
import type { BenchRow } from './rows/measure.js';

/** Sales that count, and those before them that warm everything up. */
const SALES = 300;
const WARM_UPS = 20;
const TERMINAL = '1';
/** Initial KSNs of the terminal. */
const KSN_PIN = 'FFFF9876543210E00000';
const KSN_DATA = 'FFFF9877543210E00000';
/** What the agent may add over a raw write and sync: twice its time and this. */
const ALLOWANCE_MS = 1;
/** What a sale adds to the journal before its request leaves: the row, the sealed blob and their page frames in the log. */
const RAW_BYTES = 4 * 4_096;

/** What is noted of the running sale, in milliseconds of the process's clock. */
interface Moments {
  lastByteMs: number;
  /** The first message of a sale is its request: what lies between it and the terminal's last byte. */
  addedMs: number | undefined;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A line that notes when the terminal's last byte came. */
function noting(pipe: BytePipe, moments: Moments): BytePipe {
  return {
    name: pipe.name,
    write: (bytes) => pipe.write(bytes),
    onData: (listener) =>
      pipe.onData((bytes) => {
        moments.lastByteMs = performance.now();
        listener(bytes);
      }),
    onClose: (listener) => pipe.onClose(listener),
    close: () => pipe.close(),
  };
}

/** A connection that notes when the first message of a sale was handed to the socket. */
function notingSends(connect: ConnectBridge, moments: Moments): ConnectBridge {
  return (listener) => {
    const socket = connect(listener);
    return {
      send(bytes, taken) {
        const sent = socket.send(bytes, taken);
        moments.addedMs ??= performance.now() - moments.lastByteMs;
        return sent;
      },
      close: (detail) => socket.close(detail),
    };
  };
}

function simulatedDevice(): SimulatedDevice {
  return new (modelSpec('GERTEC_PPC930').Device)({
    id: TERMINAL,
    serial: '0000000000000001',
    transport: 'serial',
    clock: systemClock,
    random: systemRandom,
    presentAheadMs: 10_000,
    ksnPin: Buffer.from(KSN_PIN, 'hex'),
    ksnData: Buffer.from(KSN_DATA, 'hex'),
    pinKeyIndex: 1,
    dataKeyIndex: 1,
    slot: () => memorySlot(),
    onFault: (error) => {
      throw error;
    },
  });
}

async function admit(harness: BridgeHarness, publicKey: string): Promise<void> {
  const row = await harness.services.store.get('agents', [AGENT]);
  if (!row) throw new Error('the harness has no agent');
  const device = exampleDevice(7, { accountKsn: KSN_DATA, pinKsn: KSN_PIN, terminalId: TERMINAL });
  await harness.services.store.commit([
    { op: 'update', table: 'agents', row: { ...row, publicKey } },
    { op: 'insert', table: 'devices', row: device },
  ]);
}

/** A raw write and sync of as many bytes, in the same folder. */
function rawSyncMs(file: number, bytes: Buffer): number {
  const start = performance.now();
  writeSync(file, bytes);
  fsyncSync(file);
  return performance.now() - start;
}

/**
 * The time that the agent adds between the terminal's last byte and the first byte on the socket, the journal's commit
 * included, compared with a raw write and sync in the same folder after each sale: 99th percentiles.
 */
export async function benchAgentLatency(): Promise<BenchRow[]> {
  const home = mkdtempSync(join(tmpdir(), 'agent-latency-'));
  const harness = await openBridgeHarness();
  const identity = enrolledHome(home, AGENT, TEST_PINS);
  await admit(harness, identity.publicKeyPem);
  const moments: Moments = { lastByteMs: 0, addedMs: 0 };
  const device = simulatedDevice();
  const cardholder = new AutoCardholder(device.ui, {
    clock: systemClock,
    box: new CardBox(() => memorySlot()),
    defaultCard: 'visa-credit-online',
    delayMs: 0,
  });
  const port = supervisePort({
    clock: systemClock,
    open: async () => {
      const [host, end] = memoryPipe();
      device.attach(end);
      return noting(host, moments);
    },
  });
  const place = {
    country: '276',
    currency: 'EUR',
    merchantCategory: '5999',
    merchantId: 'BENCH',
    terminalId: TERMINAL,
  };
  const log = pino({ level: 'silent' });
  const openLine = openMaker({ clock: systemClock, transport: 'serial', idleText: '', place });
  const driver = openSessionDriver({ port, clock: systemClock, log, openLine });
  const journal = await SqliteJournal.open({
    path: join(home, 'journal.db'),
    cipher: new BlobCipher(systemRandom.bytes(SEALING_KEY_BYTES), systemRandom),
    clock: systemClock,
  });
  const runner = new SaleRunner({
    journal,
    clock: systemClock,
    random: systemRandom,
    policy: DEFAULT_POLICY,
    terminals: [
      {
        profile: { id: TERMINAL, deviceType: 'GERTEC_PPC930', deviceId: '1', pinEntryAvailable: true },
        driver,
      },
    ],
  });
  const uplink = new BridgeUplink({
    speaker: { identity, bootId: 'bench', generation: 1, software: 'bench' },
    connect: notingSends(websocketConnector(`${harness.url}/bridge`), moments),
    trust: memoryTrust(TEST_PINS),
    queue: runner.queue,
    terminals: () => [],
    clock: systemClock,
    random: systemRandom,
    log,
  });
  await runner.start(uplink);
  uplink.start();
  await new Promise<void>((resolve) => {
    const ready = (): void => {
      if (driver.state === 'ready' && uplink.state === 'up') resolve();
    };
    driver.onState(ready);
    uplink.onState(ready);
    ready();
  });
  const raw = openSync(join(home, 'raw'), 'w');
  const rawBytes = Buffer.alloc(RAW_BYTES, 7);
  const [own, base]: [number[], number[]] = [[], []];
  try {
    for (let at = 0; at < WARM_UPS + SALES; at += 1) {
      moments.addedMs = undefined;
      const answer = await runner.service.request({
        reference: `bench-${at}`,
        type: 'sale',
        amount: { minor: 1_234, currency: 'EUR' },
      });
      if (answer.outcome !== 'approved') {
        throw new Error(`sale ${at} came to ${answer.outcome}: ${answer.cashierText}`);
      }
      const rawMs = rawSyncMs(raw, rawBytes);
      if (at < WARM_UPS) continue;
      own.push(moments.addedMs ?? Number.NaN);
      base.push(rawMs);
    }
  } finally {
    cardholder.stop();
    await uplink.close();
    await runner.close();
    await driver.close();
    await journal.close();
    await harness.dispose();
    closeSync(raw);
    rmSync(home, { recursive: true, force: true });
  }
  return [latencyRow(percentile(own, 0.99), percentile(base, 0.99))];
}

function latencyRow(ownMs: number, baseMs: number): BenchRow {
  const round = (value: number): number => Math.round(value * 100) / 100;
  return {
    name: `Agent, terminal's last byte to socket, p99 of ${SALES}, against 2 x write and sync + ${ALLOWANCE_MS} ms`,
    value: round(ownMs),
    unit: 'ms',
    baseline: round(baseMs),
    ratio: round((2 * baseMs + ALLOWANCE_MS) / ownMs),
    goal: 1,
  };
}
