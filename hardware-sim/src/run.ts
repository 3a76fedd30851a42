import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { lockHome } from '@tillbridge/platform/home-lock.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import { diskCheck } from '@tillbridge/platform/preflight/disk-check.js';
import { portCheck } from '@tillbridge/platform/preflight/port-check.js';
import { preflight } from '@tillbridge/platform/preflight/preflight.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { SimulatorConfig } from './config/config.js';
import { buildControl } from './control/server.js';
import { NetworkProxy } from './hosts/network-proxy.js';
import { ReceiptPrinter } from './printer/receipt-printer.js';
import { Recordings } from './recordings/recordings.js';
import { parseScenarios, ScenarioStore } from './scenarios/scenario-store.js';
import { buildTerminals, type SimulatedTerminals } from './simulator/simulator.js';
import { fileSlot } from './state/state-slot.js';

/** What `run` prints when it is ready. */
interface Listening {
  readonly url: string;
  /** Absent without a configured proxy. */
  readonly proxyUrl?: string;
  /** `host:port` of the receipt printer; absent without one in the configuration. */
  readonly printer?: string;
  readonly terminals: readonly { id: string; deviceType: string; transport: Transport; path: string }[];
}

/** A running simulator. */
export interface RunningSimulator {
  readonly listening: Listening;
  /** Ends everything that was started; idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Starts terminals, proxy and REST control.
 * @throws PortInUseError, HomeInUseError, HomeUnusableError, LibcError, StateError, or the file system's error
 */
export async function startSimulator(config: SimulatorConfig): Promise<RunningSimulator> {
  const { host } = config;
  const warn = (text: string): void => void process.stderr.write(`tillbridge-sim: ${text}\n`);
  const lock = await lockHome({ home: config.home, program: 'simulator', variable: 'SIM_HOME' });
  const checks = [diskCheck(config.home, 'SIM_HOME'), portCheck(host, config.port, 'SIM_PORT')];
  await preflight(checks, warn).catch((error) => lock.release().finally(() => Promise.reject(error)));
  const log = createLog('tillbridge-sim', config.log);
  const terminals = buildTerminals(config, {
    clock: systemClock,
    random: systemRandom,
    onFault: (terminalId, err) => log.error({ terminalId, err }, 'fault inside a terminal'),
  });
  const proxy = config.proxy && new NetworkProxy({ ...config.proxy, host, clock: systemClock });
  const { controlPort } = config.acquirerHost;
  const printer = new ReceiptPrinter(systemClock, () =>
    terminals.events.tell('changed', { list: 'receipts' }),
  );
  const control = buildControl({
    terminals,
    recordings: new Recordings(join(config.home, 'recordings'), systemClock),
    scenarios: new ScenarioStore(fileSlot(join(config.home, 'scenarios.json'), parseScenarios)),
    printer,
    proxy,
    gateway: config.gateway,
    // Port 0: the system chooses a port, which no other program knows.
    acquirerControlUrl: controlPort === 0 ? undefined : `http://${hostAndPort('127.0.0.1', controlPort)}`,
    startedAt: new Date(systemClock.nowMs()).toISOString(),
    hostNames: config.hostNames,
    log,
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= shutDown(terminals, proxy, printer, () => control.close()).finally(() => lock.release());
    return closing;
  };
  try {
    const printerPort =
      config.printer &&
      (await listenOn(config.printer.port, 'SIM_PRINTER_PORT', () =>
        printer.listen(config.printer?.port ?? 0, host),
      ));
    const proxyPort = proxy && (await listenOn(config.proxy?.port, 'SIM_PROXY_PORT', () => proxy.listen()));
    await listenOn(config.port, 'SIM_PORT', () => control.listen({ host, port: config.port }));
    for (const { port } of terminals.terminals.values()) await port.plug();
    const { port } = control.server.address() as AddressInfo;
    const listening: Listening = {
      url: `http://${hostAndPort(host, port)}`,
      ...(proxyPort !== undefined && { proxyUrl: `http://${hostAndPort(host, proxyPort)}` }),
      ...(printerPort !== undefined && { printer: hostAndPort(host, printerPort) }),
      terminals: [...terminals.terminals.values()].map(({ device, port: { transport, path } }) => ({
        id: device.id,
        deviceType: device.deviceType,
        transport,
        path,
      })),
    };
    log.info(listening, 'listening');
    return { listening, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function shutDown(
  terminals: SimulatedTerminals,
  proxy: NetworkProxy | undefined,
  printer: ReceiptPrinter,
  closeControl: () => Promise<void>,
): Promise<void> {
  for (const { stop, port } of terminals.terminals.values()) {
    stop();
    await port.unplug();
  }
  await proxy?.close();
  await printer.close();
  await closeControl();
}
