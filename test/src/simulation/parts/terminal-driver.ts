import type { TerminalDriver } from '@tillbridge/agent/drivers/core/driver.js';
import { openSessionDriver } from '@tillbridge/agent/drivers/core/session-driver.js';
import { developmentConfig } from '@tillbridge/agent/drivers/gertec/default-tables.js';
import { openWith } from '@tillbridge/agent/drivers/gertec/session.js';
import { supervisePort } from '@tillbridge/agent/ports/port-supervisor.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import type { StoredTables } from '@tillbridge/hardware-sim/terminals/gertec/emv-tables.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { FAIR } from '../kernel/fault-rates.js';
import { SeededRandom } from '../kernel/seeded-random.js';
import { SimProcess } from '../kernel/sim-process.js';
import { Trace } from '../kernel/trace.js';
import { QUIET_LOG } from './quiet-log.js';
import { openSimulatedTerminals, type SimulatedTerminals, Wallet } from './simulated-terminals.js';

const PLACE = { country: '276', currency: 'EUR', merchantCategory: '5999', merchantId: 'SIMULATION' };
const configs = new Map<string, ReturnType<typeof developmentConfig>>();

/** The tables of a terminal, made once: their checks are slow and they never change. */
function configOf(terminalId: string): ReturnType<typeof developmentConfig> {
  const config = configs.get(terminalId) ?? developmentConfig({ ...PLACE, terminalId });
  configs.set(terminalId, config);
  return config;
}

/** The real driver on a terminal's cable, in an agent's process. */
export function openDriver(
  { id, line, replayedCards }: SimulatedTerminals,
  process: SimProcess,
): TerminalDriver {
  const { clock } = process;
  const port = supervisePort({ open: () => line.open(process), clock });
  const openLine = openWith(configOf(id), clock);
  const driver = openSessionDriver({ port, clock, log: QUIET_LOG, openLine });
  return replayedCards?.tap(driver) ?? driver;
}

/** A driver that has not loaded a terminal by then never will. */
const LOADING_MS = 120_000;
const loaded = new Map<string, Promise<StoredTables>>();

/**
 * What a terminal holds once its driver has loaded it. A store that opens in the morning has loaded its terminals long ago, so
 * every simulation begins with them: they are loaded once in this process, by the real driver.
 */
export function loadedTables(terminalId: string): Promise<StoredTables> {
  const tables = loaded.get(terminalId) ?? load(terminalId);
  loaded.set(terminalId, tables);
  return tables;
}

async function load(terminalId: string): Promise<StoredTables> {
  const clock = new VirtualClock();
  const random = new SeededRandom('tables');
  const tableSlot = memorySlot<StoredTables>();
  const terminals = openSimulatedTerminals({
    id: terminalId,
    number: 1,
    clock,
    random,
    wallet: new Wallet(random),
    faultRates: () => FAIR.line,
    tableSlot,
    onFault: () => undefined,
  });
  const process = new SimProcess('loader', clock, { offsetMs: 0 }, new Trace(clock));
  const driver = openDriver(terminals, process);
  while (driver.state !== 'ready' && clock.monotonicMs() < LOADING_MS) await clock.advance(100);
  process.die('kill');
  const tables = tableSlot.read();
  if (!tables) throw new Error(`terminal ${terminalId} did not take its tables`);
  return tables;
}
