import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DriverState, TerminalDriver } from '@tillbridge/agent/drivers/core/driver.js';
import { deviceTypeSpec } from '@tillbridge/agent/drivers/device-types.js';
import { openPort } from '@tillbridge/agent/ports/open-port.js';
import { supervisePort } from '@tillbridge/agent/ports/port-supervisor.js';
import { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import { faultPipe } from '@tillbridge/hardware-sim/faults/fault-pipe.js';
import { FaultRegistry } from '@tillbridge/hardware-sim/faults/fault-registry.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import { WireLog } from '@tillbridge/hardware-sim/inspection/wire-log.js';
import { hidPlug, tcpPlug } from '@tillbridge/hardware-sim/ports/socket-plug.js';
import type { TerminalPlug } from '@tillbridge/hardware-sim/ports/terminal-plug.js';
import { TerminalPort } from '@tillbridge/hardware-sim/ports/terminal-port.js';
import { memorySlot, type StateSlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import type { SimulatedDevice } from '@tillbridge/hardware-sim/terminals/core/simulated-device.js';
import { modelSpec } from '@tillbridge/hardware-sim/terminals/models.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { slowCards } from './cards-in-hand.js';
import { CountingClock } from './counting-clock.js';
import { ListenerCount } from './counting-pipe.js';
import { type Maker, openDriver } from './maker.js';
import { ScriptedCardholder } from './scripted-cardholder.js';
import { Signal } from './signal.js';

/** A real driver and a simulated terminal on one line, with a cardholder who follows a script. */
export interface TerminalHarness {
  readonly maker: Maker;
  readonly driver: TerminalDriver;
  readonly device: SimulatedDevice;
  /** The host's clock, of the driver and of the layers above it. */
  readonly clock: CountingClock;
  /** Moves the clock on, only in memory: for tests that skip hours. */
  readonly virtualClock?: VirtualClock;
  readonly cardholder: ScriptedCardholder;
  readonly faults: FaultRegistry;
  readonly plug: TerminalPlug;
  /** What passed over the line. */
  readonly wireLog: WireLog;
  /** The driver writes to the terminal. */
  readonly hostWrites: Signal;
  /** The terminal gives the card a command. */
  readonly cardCommands: Signal<Uint8Array>;
  /** Listeners that stand on the driver's open pipes. */
  readonly listeners: ListenerCount;
  /** Faults inside the simulated device that its protocol cannot express. */
  readonly surprises: readonly unknown[];
  /** Waits for a promise; virtual time passes meanwhile where the clock is virtual. @throws Error when it never settles */
  pass<T>(promise: Promise<T>): Promise<T>;
  /** Waits for the driver to be in a state. */
  until(state: DriverState): Promise<void>;
  close(): Promise<void>;
}

const TICK_MS = 50;
/** Twenty virtual minutes: longer than every guard of every driver. */
const MAX_PASSED_MS = 20 * 60_000;
const REAL_PATIENCE_MS = 30_000;
const VIRTUAL_CARDHOLDER_MS = 100;
const REAL_CARDHOLDER_MS = 2;
const KSN_PIN = Buffer.from('FFFF9876543210E00000', 'hex');
const KSN_DATA = Buffer.from('FFFF9877543210E00000', 'hex');

/** A line in memory that can be unplugged. */
class MemoryPlug implements TerminalPlug {
  readonly path = 'memory';
  readonly transport: Transport;
  plugged = true;
  readonly #onPlug: (line: BytePipe) => void;
  #device: BytePipe | undefined;

  constructor(transport: Transport, onPlug: (line: BytePipe) => void) {
    this.transport = transport;
    this.#onPlug = onPlug;
  }

  async plug(): Promise<void> {
    this.plugged = true;
  }

  async unplug(): Promise<void> {
    this.plugged = false;
    await this.#device?.close();
    this.#device = undefined;
  }

  /** The host's end of a new line. @throws Error while unplugged */
  async open(): Promise<BytePipe> {
    if (!this.plugged) throw new Error('the terminal is unplugged');
    const [host, far] = memoryPipe();
    this.#device = far;
    this.#onPlug(far);
    return host;
  }
}

interface Surroundings {
  readonly clock: Clock;
  readonly virtualClock?: VirtualClock;
  readonly cardholderMs: number;
  readonly plug: TerminalPlug;
  readonly open: () => Promise<BytePipe>;
  readonly pass: TerminalHarness['pass'];
  readonly tidy: () => void;
}

function inMemory(transport: Transport, onPlug: (line: BytePipe) => void): Surroundings {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 10, 15));
  const plug = new MemoryPlug(transport, onPlug);
  return {
    clock,
    virtualClock: clock,
    cardholderMs: VIRTUAL_CARDHOLDER_MS,
    plug,
    open: () => plug.open(),
    pass: (promise) => passVirtual(clock, promise),
    tidy: () => undefined,
  };
}

/** Lets virtual time pass until a promise settles. @throws Error when it does not within twenty minutes */
export async function passVirtual<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  const endMs = clock.monotonicMs() + MAX_PASSED_MS;
  while (clock.monotonicMs() < endMs) {
    await settle();
    if (settled) return promise;
    // Where nothing is due, nothing happens.
    await clock.advance(Math.max(TICK_MS, clock.nextTimerInMs() ?? 0));
  }
  throw new Error('nothing came to an end in twenty minutes of virtual time');
}

function passReal<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('nothing came to an end')), REAL_PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The transport itself: PTY, Unix socket of reports, TCP. */
function onTheWire(maker: Maker, transport: Transport, onPlug: (line: BytePipe) => void): Surroundings {
  const home = mkdtempSync(join(tmpdir(), 'terminal-'));
  const plug = wirePlug(transport, home, onPlug);
  const { baudRate, reportIds } = deviceTypeSpec(maker.deviceType);
  return {
    clock: systemClock,
    cardholderMs: REAL_CARDHOLDER_MS,
    plug,
    open: () =>
      openPort({ transport, path: plug.path, line: { baudRate, parity: 'none' }, reportIds }, systemClock),
    pass: passReal,
    tidy: () => rmSync(home, { recursive: true, force: true }),
  };
}

function wirePlug(transport: Transport, home: string, onPlug: (line: BytePipe) => void): TerminalPlug {
  switch (transport) {
    case 'serial':
      return new TerminalPort(join(home, 'line'), onPlug);
    case 'hid':
      return hidPlug(join(home, 'line.hid'), onPlug);
    case 'tcp':
      return tcpPlug(memorySlot(), onPlug);
  }
}

/** How a harness is set up. */
interface HarnessOptions {
  /** `memory`: virtual clock; `real`: the transport itself. */
  readonly wire: 'memory' | 'real';
  readonly transport?: Transport;
  /** Stands between the driver and each new line. */
  readonly wrap?: (pipe: BytePipe, clock: Clock) => BytePipe;
  /** How long a chip takes for each command; no time when absent. */
  readonly cardCommandMs?: number;
  /** How long the cardholder takes for each act; hardly any time when absent. */
  readonly cardholderMs?: number;
}

/** Sets up a harness and waits for the driver to be ready. */
export async function openTerminalHarness(maker: Maker, options: HarnessOptions): Promise<TerminalHarness> {
  const { wire, transport = maker.transports[0], wrap = (pipe) => pipe, cardCommandMs = 0 } = options;
  const surprises: unknown[] = [];
  const slots = new Map<string, unknown>();
  const slot = <T>(name: string): StateSlot<T> => {
    const kept = slots.get(name) ?? memorySlot<T>();
    slots.set(name, kept);
    return kept as StateSlot<T>;
  };
  const around: Surroundings =
    wire === 'memory' ? inMemory(transport, plugged) : onTheWire(maker, transport, plugged);
  const { clock, plug, pass } = around;
  const device = new (modelSpec(maker.deviceType).Device)({
    id: 'T1',
    serial: '0000000000000001',
    transport,
    form: maker.form,
    clock,
    random: seededRandom(1),
    presentAheadMs: 10_000,
    ksnPin: maker.ksns?.pin ?? KSN_PIN,
    ksnData: maker.ksns?.data ?? KSN_DATA,
    pinKeyIndex: 1,
    dataKeyIndex: 1,
    slot: (name) => slot(name),
    onFault: (error) => surprises.push(error),
  });
  const faults = new FaultRegistry(device.lineStyle, (standing) => device.setDeviceFaults(standing));

  const wireLog = new WireLog({ deviceType: maker.deviceType, transport, clock });

  function plugged(line: BytePipe): void {
    device.attach(
      faultPipe(wireLog.tap(line), faults, clock, {
        reset: () => device.reset(),
        unplug: (forMs) => {
          void plug.unplug().then(() => clock.setTimer(forMs, () => void plug.plug()));
        },
        unsolicited: () => device.unsolicited(),
      }),
    );
  }

  await plug.plug();
  const cardCommands = new Signal<Uint8Array>();
  const box = new CardBox((name) => slot(`card-${name}`));
  const cards = slowCards(box, clock, cardCommandMs, cardCommands);
  const cardholder = new ScriptedCardholder(
    device.ui,
    cards,
    clock,
    options.cardholderMs ?? around.cardholderMs,
  );
  const listeners = new ListenerCount();
  const hostWrites = new Signal();
  const hostClock = new CountingClock(clock);
  const port = supervisePort({
    clock: hostClock,
    open: async () => listeners.watch(wrap(telling(await around.open(), hostWrites), clock)),
  });
  const log = { info: () => {}, warn: () => {} };
  const driver = openDriver(maker, { port, clock: hostClock, log, transport });
  const until = (state: DriverState): Promise<void> => pass(reached(driver, state));
  await until('ready');
  return {
    maker,
    driver,
    device,
    clock: hostClock,
    ...(around.virtualClock && { virtualClock: around.virtualClock }),
    cardholder,
    faults,
    plug,
    wireLog,
    hostWrites,
    cardCommands,
    listeners,
    surprises,
    pass,
    until,
    async close() {
      cardholder.stop();
      await driver.close();
      await plug.unplug();
      around.tidy();
    },
  };
}

/** The pipe, telling of each write before it is done. */
function telling(pipe: BytePipe, writes: Signal): BytePipe {
  return {
    name: pipe.name,
    write: (bytes) => {
      writes.emit();
      return pipe.write(bytes);
    },
    onData: (listener) => pipe.onData(listener),
    onClose: (listener) => pipe.onClose(listener),
    close: () => pipe.close(),
  };
}

function reached(driver: TerminalDriver, state: DriverState): Promise<void> {
  if (driver.state === state) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = driver.onState((now) => {
      if (now !== state) return;
      stop();
      resolve();
    });
  });
}
