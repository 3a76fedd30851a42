import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearMatch } from '@tillbridge/protocol/text/near-match.js';
import { parseDocument } from 'yaml';
import { DEFAULT_BRIDGE_LIMITS } from './bridge/bridge-limits.js';
import { asTokenLabel, type TokenConfig, tokenOf, tokenProblems } from './config-token.js';
import {
  asHost,
  asOrigin,
  asPeers,
  type TransportConfig,
  transportOf,
  transportProblems,
} from './config-transport.js';
import {
  DEFAULT_THROTTLE_RATES,
  THROTTLED_OPERATIONS,
  type ThrottledOperation,
  type ThrottleRates,
} from './http/throttle/throttle.js';

/** Everything the gateway is told. */
export interface GatewayConfig {
  /** The gateway's own folder; belongs to this process alone. */
  readonly home: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly log: LogConfig;
  /** How often open intents are looked after, in milliseconds. */
  readonly resolverIntervalMs: number;
  /** How long an agent's message that cannot be decided may hold up its terminal's stream before it is parked, in milliseconds. */
  readonly parkAfterMs: number;
  readonly transport: TransportConfig;
  /** How many requests an entity may send. */
  readonly throttle: ThrottleRates;
  /** Where the symmetric keys are, when not in the key store. */
  readonly token?: TokenConfig;
}

/** Where log lines go and how many. */
export interface LogConfig {
  readonly level: LogLevel;
  /** A file, or `stderr`. */
  readonly target: string;
}

/** Log levels, most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** One log level. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The configuration is wrong: one line per key or variable, with what was expected. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** One setting: its key in the file, the variable that overrides it, and what its value must be. */
interface Setting {
  readonly key: string;
  readonly variable: string;
  readonly expected: string;
  readonly parse: (value: unknown) => string | number | undefined;
}

const SETTINGS: readonly Setting[] = [
  { key: 'home', variable: 'GATEWAY_HOME', expected: 'a path', parse: asPath },
  {
    key: 'host',
    variable: 'GATEWAY_HOST',
    expected: 'a loopback address (127.0.0.1, ::1 or localhost), or another address of this machine',
    parse: asHost,
  },
  {
    key: 'port',
    variable: 'GATEWAY_PORT',
    expected: 'a whole number from 0 to 65535',
    parse: whole(0, 65_535),
  },
  {
    key: 'log.level',
    variable: 'GATEWAY_LOG_LEVEL',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (value) => LOG_LEVELS.find((level) => level === value),
  },
  { key: 'log.target', variable: 'GATEWAY_LOG', expected: 'stderr or the path of a file', parse: asPath },
  {
    key: 'resolverIntervalMs',
    variable: 'GATEWAY_RESOLVER_INTERVAL_MS',
    expected: 'a whole number of milliseconds from 100 to 3600000',
    parse: whole(100, 3_600_000),
  },
  {
    key: 'parkAfterMs',
    variable: 'GATEWAY_PARK_AFTER_MS',
    expected: 'a whole number of milliseconds from 60000 to 86400000',
    parse: whole(60_000, 86_400_000),
  },
  {
    key: 'mode',
    variable: 'GATEWAY_MODE',
    expected: 'test or live',
    parse: (value) => (['test', 'live'] as const).find((mode) => mode === value),
  },
  {
    key: 'tls.certificateFile',
    variable: 'GATEWAY_TLS_CERTIFICATE_FILE',
    expected: 'the path of a certificate in PEM',
    parse: asPath,
  },
  {
    key: 'tls.keyFile',
    variable: 'GATEWAY_TLS_KEY_FILE',
    expected: 'the path of its key in PEM',
    parse: asPath,
  },
  {
    key: 'tls.redirectPort',
    variable: 'GATEWAY_TLS_REDIRECT_PORT',
    expected: 'a whole number from 0 to 65535: a port for plain HTTP that sends everybody to https',
    parse: whole(0, 65_535),
  },
  {
    key: 'trustedProxies',
    variable: 'GATEWAY_TRUSTED_PROXIES',
    expected: 'addresses or networks of proxies, parted by commas, such as 10.0.0.0/8',
    parse: asPeers,
  },
  {
    key: 'publicUrl',
    variable: 'GATEWAY_PUBLIC_URL',
    expected: 'the https address of this gateway for its clients, without a path',
    parse: asOrigin,
  },
  {
    key: 'pkcs11.library',
    variable: 'GATEWAY_PKCS11_LIBRARY',
    expected: 'the path of the PKCS#11 library of a token that holds the symmetric keys',
    parse: asPath,
  },
  {
    key: 'pkcs11.token',
    variable: 'GATEWAY_PKCS11_TOKEN',
    expected: 'the label of the token, up to 32 characters',
    parse: asTokenLabel,
  },
  {
    key: 'pkcs11.pinFile',
    variable: 'GATEWAY_PKCS11_PIN_FILE',
    expected: 'the path of a file of mode 0600 with the PIN of the token',
    parse: asPath,
  },
  ...THROTTLED_OPERATIONS.flatMap(throttleSettings),
];

/** The two settings of a throttled operation. */
function throttleSettings(operation: ThrottledOperation): readonly Setting[] {
  const variable = `GATEWAY_THROTTLE_${operation.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  const expected = 'a whole number of requests from 1 to 1000000';
  const parse = whole(1, 1_000_000);
  return [
    { key: `throttle.${operation}.perSecond`, variable: `${variable}_PER_SECOND`, expected, parse },
    { key: `throttle.${operation}.burst`, variable: `${variable}_BURST`, expected, parse },
  ];
}

/** What `--help` says of the environment. */
export const ENVIRONMENT_HELP = `Environment, over the file:\n${SETTINGS.map(
  ({ key, variable, expected }) => `  ${variable} (${key}): ${expected}`,
).join('\n')}\n  TILLBRIDGE_HOME: the home is its folder gateway, unless GATEWAY_HOME is set`;

/** Largest configuration file. */
const MAX_FILE_BYTES = 1_048_576;

/**
 * Reads the configuration: the YAML file if one is named, then the environment over it.
 * @throws ConfigError naming everything that is wrong
 */
export function loadConfig(file: string | undefined, env: NodeJS.ProcessEnv): GatewayConfig {
  const problems: string[] = [];
  const written = file === undefined ? new Map<string, unknown>() : readFile(file, problems);
  const values = new Map<string, string | number>();
  for (const setting of SETTINGS) {
    const fromEnv = env[setting.variable];
    const overridden = fromEnv !== undefined && fromEnv !== '';
    const value = overridden ? fromEnv : written.get(setting.key);
    if (value === undefined || value === null) continue;
    const parsed = setting.parse(value);
    if (parsed !== undefined) values.set(setting.key, parsed);
    else {
      const place = overridden ? setting.variable : `${file}: ${setting.key}`;
      problems.push(`${place} is ${JSON.stringify(value)}: expected ${setting.expected}`);
    }
  }
  refuseOtherDatabases(env.DATABASE_URL, problems);
  const config = assemble(values, env);
  problems.push(...transportProblems(values, config), ...tokenProblems(values));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

function assemble(values: ReadonlyMap<string, string | number>, env: NodeJS.ProcessEnv): GatewayConfig {
  const home = resolve(String(values.get('home') ?? join(env.TILLBRIDGE_HOME || '.local', 'gateway')));
  const target = String(values.get('log.target') ?? join(home, 'gateway.log'));
  const token = tokenOf(values);
  return {
    ...(token !== undefined && { token }),
    home,
    host: String(values.get('host') ?? '127.0.0.1'),
    port: Number(values.get('port') ?? 8080),
    log: {
      level: (values.get('log.level') ?? 'info') as LogLevel,
      target: target === 'stderr' ? target : resolve(target),
    },
    resolverIntervalMs: Number(values.get('resolverIntervalMs') ?? 5_000),
    parkAfterMs: Number(values.get('parkAfterMs') ?? DEFAULT_BRIDGE_LIMITS.streamBlockMs),
    transport: transportOf(values),
    throttle: {
      payments: rateOf('payments', values),
      followUps: rateOf('followUps', values),
      reads: rateOf('reads', values),
    },
  };
}

function rateOf(operation: ThrottledOperation, values: ReadonlyMap<string, string | number>) {
  const { perSecond, burst } = DEFAULT_THROTTLE_RATES[operation];
  return {
    perSecond: Number(values.get(`throttle.${operation}.perSecond`) ?? perSecond),
    burst: Number(values.get(`throttle.${operation}.burst`) ?? burst),
  };
}

/** Keys and values of the file, `log.level` for the key level in the mapping log. */
function readFile(file: string, problems: string[]): ReadonlyMap<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
    );
  }
  if (text.length > MAX_FILE_BYTES) throw new ConfigError(`${file} is larger than ${MAX_FILE_BYTES} bytes`);
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault) throw new ConfigError(`${file}: ${fault.message}`);
  const values = new Map<string, unknown>();
  collect(document.toJS({ maxAliasCount: 0 }) ?? {}, '', file, values, problems);
  return values;
}

function collect(
  value: unknown,
  at: string,
  file: string,
  values: Map<string, unknown>,
  problems: string[],
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${file}: ${at === '' ? 'the file' : at} must be a mapping of keys to values`);
    return;
  }
  for (const [name, entry] of Object.entries(value)) {
    const key = at === '' ? name : `${at}.${name}`;
    if (SETTINGS.some((setting) => setting.key === key)) values.set(key, entry);
    else if (SETTINGS.some((setting) => setting.key.startsWith(`${key}.`))) {
      collect(entry, key, file, values, problems);
    } else problems.push(`${file}: ${key} is no key${likelyKey(key)}`);
  }
}

/** The key that was probably meant, by all of its parts or by the last one, or all there are. */
function likelyKey(written: string): string {
  const keys = SETTINGS.map((setting) => setting.key);
  const meant = nearMatch(lastPart(written), keys.map(lastPart));
  const near = nearMatch(written, keys) ?? keys.find((key) => lastPart(key) === meant);
  return near === undefined ? `: expected one of ${keys.join(', ')}` : `; did you mean ${near}?`;
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function refuseOtherDatabases(url: string | undefined, problems: string[]): void {
  if (url === undefined || url === '') return;
  // The value may hold a password: only its scheme is shown.
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0] ?? 'not a URL';
  problems.push(
    `DATABASE_URL (${scheme}) cannot be used: this build stores in SQLite inside its home; unset the variable`,
  );
}

function asPath(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\0]{1,1024}$/.test(value) ? value : undefined;
}

function whole(min: number, max: number): Setting['parse'] {
  return (value) => {
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
      ? number
      : undefined;
  };
}
