import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { developmentKeySet } from '@tillbridge/protocol/terminals/development-key-sets.js';
import { parseDocument } from 'yaml';
import { CARD_CATALOGUE, findCard } from './cards/catalogue.js';
import { type Rule, Section } from './config-section.js';
import { TRANSPORTS, type Transport } from './ports/terminal-plug.js';
import { dukptScheme } from './terminals/core/dukpt-schemes.js';
import { MODEL_NAMES, type ModelName, modelSpec } from './terminals/models.js';

/** One simulated terminal. */
export interface TerminalConfig {
  readonly id: string;
  readonly deviceType: ModelName;
  readonly transport: Transport;
  readonly serial: string;
  /** Initial key serial numbers: counter zero; 10 bytes, or 12 of AES DUKPT. */
  readonly ksnPin: Buffer;
  readonly ksnData: Buffer;
  readonly pinKeyIndex: number;
  readonly dataKeyIndex: number;
  readonly defaultCard: string;
}

/** Everything that the simulator is told. */
export interface SimulatorConfig {
  /** Folder of cards, keys and counters; belongs to this process alone. */
  readonly home: string;
  readonly host: string;
  readonly port: number;
  readonly auto: boolean;
  readonly autoDelayMs: number;
  readonly presentAheadMs: number;
  readonly terminals: readonly TerminalConfig[];
  readonly proxy:
    | { readonly port: number; readonly targetHost: string; readonly targetPort: number }
    | undefined;
  readonly gateway: { readonly url: string; readonly token: string } | undefined;
  readonly log: { readonly level: LogLevel; readonly file: string | undefined };
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** Level of the log. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The configuration is wrong: one line for each key or variable, with what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Variables that override the file, and the keys they stand for. */
export const ENVIRONMENT_HELP = `Environment, over the file:
  SIM_PORT (port), SIM_HOST (host), SIM_HOME (home), SIM_AUTO (auto: 1 or 0), SIM_PROXY_PORT (proxy.port),
  SIM_LOG_LEVEL (log.level), SIM_LOG (log.file)`;

const MAX_TERMINALS = 64;

const integer = (min: number, max: number): Rule<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  parse(value) {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
      ? number
      : undefined;
  },
});
const matching = (expected: string, pattern: RegExp): Rule<string> => ({
  expected,
  parse(value) {
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && pattern.test(text) ? text : undefined;
  },
});
const oneOf = <T extends string>(values: readonly T[]): Rule<T> => ({
  expected: `one of ${values.join(', ')}`,
  parse: (value) => values.find((candidate) => candidate === value),
});
const BOOLEAN: Rule<boolean> = {
  expected: 'true or false (1 or 0)',
  parse: (value) =>
    value === true || value === '1' || value === 'true'
      ? true
      : value === false || value === '0' || value === 'false'
        ? false
        : undefined,
};
const PORT = integer(0, 65_535);
const PATH_TEXT = matching('a path', /^[^\0]{1,1024}$/);
const HOST = matching('a host name or address', /^[0-9A-Za-z.:_-]{1,255}$/);
const KSN: Rule<Buffer> = {
  expected: '20 hex digits, the last 21 bits zero (an initial key serial number)',
  parse: (value) => initialKsnOf(/^[0-9A-Fa-f]{20}$/, value),
};
/** For models whose keys may be of AES DUKPT as well. */
const TDES_OR_AES_KSN: Rule<Buffer> = {
  expected: `${KSN.expected}, or 24 hex digits, the last 8 zero (of AES DUKPT)`,
  parse: (value) => KSN.parse(value) ?? initialKsnOf(/^[0-9A-Fa-f]{24}$/, value),
};

function initialKsnOf(pattern: RegExp, value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || !pattern.test(value)) return undefined;
  const ksn = Buffer.from(value, 'hex');
  return dukptScheme(ksn).counter(ksn) === 0 ? ksn : undefined;
}
const TARGET: Rule<{ targetHost: string; targetPort: number }> = {
  expected: 'host:port of the gateway',
  parse(value) {
    const match = typeof value === 'string' ? /^\[?([0-9A-Za-z.:_-]+?)\]?:(\d{1,5})$/.exec(value) : null;
    const targetPort = Number(match?.[2]);
    return match?.[1] && targetPort >= 1 && targetPort <= 65_535
      ? { targetHost: match[1], targetPort }
      : undefined;
  },
};
const URL_TEXT: Rule<string> = {
  expected: 'an http or https address',
  parse: (value) =>
    typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value) ? value : undefined,
};
const CARD: Rule<string> = {
  expected: `a card: ${CARD_CATALOGUE.map(({ name }) => name).join(', ')}`,
  parse: (value) => (typeof value === 'string' && findCard(value) ? value : undefined),
};

/**
 * Reads the configuration: the YAML file if one is named, then the environment over it.
 * @throws ConfigError with a line for each wrong key, value or variable
 */
export function loadConfig(file: string | undefined, env: NodeJS.ProcessEnv): SimulatorConfig {
  const problems: string[] = [];
  const root = new Section(file === undefined ? {} : readYaml(file), '', problems);
  const home = resolve(
    root.over('SIM_HOME', env, 'home', PATH_TEXT, join(env.TILLBRIDGE_HOME || '.local', 'simulator')),
  );
  const log = root.section('log');
  const logFile = log.over<string | undefined>('SIM_LOG', env, 'file', PATH_TEXT, undefined);
  const config: SimulatorConfig = {
    home,
    host: root.over('SIM_HOST', env, 'host', HOST, '127.0.0.1'),
    port: root.over('SIM_PORT', env, 'port', PORT, 8095),
    auto: root.over('SIM_AUTO', env, 'auto', BOOLEAN, false),
    autoDelayMs: root.read('autoDelayMs', integer(0, 60_000), 400),
    presentAheadMs: root.read('presentAheadMs', integer(0, 3_600_000), 30_000),
    terminals: readTerminals(root.raw('terminals'), problems),
    proxy: readProxy(root, env),
    gateway: readGateway(root),
    log: {
      level: log.over('SIM_LOG_LEVEL', env, 'level', oneOf(LOG_LEVELS), 'info'),
      file: logFile === undefined ? undefined : resolve(logFile),
    },
  };
  log.end();
  root.end();
  if (problems.length > 0)
    throw new ConfigError(problems.map((line) => (file ? `${file}: ${line}` : line)).join('\n'));
  return config;
}

function readYaml(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const document = parseDocument(text, { uniqueKeys: true });
  const [first] = document.errors;
  if (first) throw new ConfigError(`${file} is no valid YAML: ${first.message}`);
  return document.toJS({ maxAliasCount: 0 }) ?? {};
}

function readProxy(root: Section, env: NodeJS.ProcessEnv): SimulatorConfig['proxy'] {
  const proxy = root.section('proxy');
  if (!root.has('proxy')) return undefined;
  const port = proxy.over('SIM_PROXY_PORT', env, 'port', PORT, 0);
  const target = proxy.demand('target', TARGET, { targetHost: '', targetPort: 0 });
  proxy.end();
  return { port, ...target };
}

function readGateway(root: Section): SimulatorConfig['gateway'] {
  const gateway = root.section('gateway');
  if (!root.has('gateway')) return undefined;
  const url = gateway.demand('url', URL_TEXT, '');
  const token = gateway.demand('token', matching('the token of the acquirer’s record', /^\S{0,4096}$/), '');
  gateway.end();
  return { url, token };
}

/** Terminals of a simulator that was told of none. */
const DEFAULT_TERMINALS = [{ id: '1001', deviceType: 'GERTEC_PPC930', serial: 'G0001001' }];

function readTerminals(value: unknown, problems: string[]): TerminalConfig[] {
  const list = value ?? DEFAULT_TERMINALS;
  if (!Array.isArray(list) || list.length > MAX_TERMINALS) {
    problems.push(`terminals must be a list of at most ${MAX_TERMINALS}`);
    return [];
  }
  const terminals = list.map((entry, at) => readTerminal(new Section(entry, `terminals[${at}]`, problems)));
  const ids = terminals.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) problems.push(`terminals: ${twice} stands twice, each id must be its own`);
  return terminals;
}

function readTerminal(section: Section): TerminalConfig {
  const id = section.demand('id', matching('1 to 32 letters, digits, hyphens', /^[0-9A-Za-z-]{1,32}$/), '0');
  const serial = section.demand('serial', matching('1 to 32 letters and digits', /^[0-9A-Za-z]{1,32}$/), '0');
  const deviceType = section.demand('deviceType', oneOf(MODEL_NAMES), 'GERTEC_PPC930');
  const { transports, aes } = modelSpec(deviceType);
  const ksn = aes ? TDES_OR_AES_KSN : KSN;
  const terminal: TerminalConfig = {
    id,
    deviceType,
    transport: section.read(
      'transport',
      oneOf(TRANSPORTS.filter((each) => transports.includes(each))),
      transports[0],
    ),
    serial,
    ksnPin: section.read('ksnPin', ksn, initialKsn('FFFF9876', serial)),
    ksnData: section.read('ksnData', ksn, initialKsn(developmentKeySet(deviceType), serial)),
    pinKeyIndex: section.read('pinKeyIndex', integer(0, 99), 1),
    dataKeyIndex: section.read('dataKeyIndex', integer(0, 99), 1),
    defaultCard: section.read('defaultCard', CARD, 'visa-credit-online'),
  };
  section.end();
  return terminal;
}

/** A device's own serial number of keys: key set, three bytes that follow from the serial, counter zero. */
function initialKsn(keySet: string, serial: string): Buffer {
  const device = createHash('sha256').update(serial).digest('hex').slice(0, 6);
  return Buffer.from(`${keySet}${device}000000`, 'hex');
}
