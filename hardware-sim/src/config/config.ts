import { createHash } from 'node:crypto';
import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { entriesOf } from '@tillbridge/platform/config/list-setting.js';
import { loadSettings } from '@tillbridge/platform/config/load-settings.js';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { homeOf, type LogConfig, logConfig } from '@tillbridge/platform/config/program-settings.js';
import type { Static } from '@tillbridge/platform/schema/type.js';
import { DialectError } from '@tillbridge/wire/iso8583/dialects/dialect-changes.js';
import { developmentKeySet } from '@tillbridge/wire/terminals/development-key-sets.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { AcquirerHostConfig } from '../hosts/acquirer/host-config.js';
import { modelSpec } from '../terminals/models.js';
import { SIMULATOR_SETTINGS, targetOf } from './schema.js';

type Settings = Static<typeof SIMULATOR_SETTINGS>;
type WrittenTerminal = Settings['terminals'][number];

/** One simulated terminal. */
export interface TerminalConfig extends Omit<WrittenTerminal, 'transport' | 'ksnPin' | 'ksnData'> {
  readonly transport: Transport;
  /** Initial key serial numbers: counter zero; 10 bytes, or 12 of AES DUKPT. */
  readonly ksnPin: Buffer;
  readonly ksnData: Buffer;
}

/** The simulator's configuration. */
export interface SimulatorConfig
  extends Pick<Settings, 'host' | 'port' | 'auto' | 'autoDelayMs' | 'presentAheadMs'> {
  /** Folder of cards, keys and counters; belongs to this process alone. */
  readonly home: string;
  /** Names of the REST control in addition to its address. */
  readonly hostNames: readonly string[];
  readonly terminals: readonly TerminalConfig[];
  readonly proxy:
    | { readonly port: number; readonly targetHost: string; readonly targetPort: number }
    | undefined;
  /** A receipt printer over TCP. */
  readonly printer: { readonly port: number } | undefined;
  readonly gateway: { readonly url: string; readonly token: string } | undefined;
  /** Of directory server and access control server. */
  readonly threeds: { readonly port: number; readonly decoupledAfterMs: number };
  readonly acquirerHost: AcquirerHostConfig;
  /** Keys of this process in place of the published ones. */
  readonly keyFile?: string;
  readonly log: LogConfig;
}

/**
 * Reads the configuration: the YAML file if one is named, then the environment over it.
 * @throws ConfigError with a line for each wrong key, value or variable
 */
export function loadConfig(file: string | undefined, env: NodeJS.ProcessEnv): SimulatorConfig {
  return loadSettings(SIMULATOR_SETTINGS, { file, env }, (settings, problems) => {
    const { home, terminals, proxy, gateway, printer, log, acquirerHost, ...rest } = settings;
    const ids = terminals.map(({ id }) => String(id));
    const twice = ids.find((id, at) => ids.indexOf(id) !== at);
    if (twice !== undefined) problems.at(['terminals'], `has ${twice} twice: each id must be its own`);
    refuseDialect(acquirerHost, problems);
    const target = targetOf(proxy?.target);
    return {
      ...rest,
      hostNames: entriesOf(settings.hostNames),
      home: homeOf(home, 'simulator', env),
      terminals: terminals.map(terminalConfig),
      proxy: proxy && target && { port: proxy.port, ...target },
      gateway,
      printer,
      acquirerHost: { ...acquirerHost, home: homeOf(acquirerHost.home, 'acquirer-host', env) },
      log: logConfig(log, 'stderr'),
    };
  });
}

/** Refuses a dialect that cannot be. */
function refuseDialect(
  { dialect, dialectChanges }: Pick<AcquirerHostConfig, 'dialect' | 'dialectChanges'>,
  problems: Problems,
): void {
  try {
    configuredDialect(dialect, dialectChanges);
  } catch (error) {
    if (!(error instanceof DialectError)) throw error;
    problems.at(['acquirerHost', 'dialectChanges', ...error.path], error.message);
  }
}

function terminalConfig(written: WrittenTerminal): TerminalConfig {
  const { deviceType, serial, ksnPin, ksnData } = written;
  return {
    ...written,
    id: String(written.id),
    transport: written.transport ?? modelSpec(deviceType).transports[0],
    ksnPin: Buffer.from(ksnPin ?? defaultKsns(deviceType, serial).ksnPin, 'hex'),
    ksnData: Buffer.from(ksnData ?? defaultKsns(deviceType, serial).ksnData, 'hex'),
  };
}

/** The initial KSNs of a terminal whose configuration names none, in hex: its gateway has to know them. */
export function defaultKsns(
  deviceType: string,
  serial: string,
): { readonly ksnPin: string; readonly ksnData: string } {
  return {
    ksnPin: initialKsn('FFFF9876', serial),
    ksnData: initialKsn(developmentKeySet(deviceType), serial),
  };
}

/** A device's own serial number of keys: key set, three bytes that follow from the serial, counter zero; in hex. */
function initialKsn(keySet: string, serial: string): string {
  return `${keySet}${createHash('sha256').update(serial).digest('hex').slice(0, 6)}000000`.toUpperCase();
}
