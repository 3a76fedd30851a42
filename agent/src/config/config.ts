import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CapkRecord } from '@tillbridge/protocol/crypto/capk.js';
import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import { LineCounter, parseDocument } from 'yaml';
import { deviceTypeSpec } from '../drivers/device-types.js';
import { LOG_LEVELS, type LogLevel } from '../log.js';
import { UNIX_PREFIX } from '../ports/hid-pipe.js';
import { DEFAULT_POLICY, type SalePolicy } from '../sale/policy.js';
import { readCapkFile } from './capk-file.js';
import { type JournalConfig, readJournal } from './journal.js';
import { type NeighbourConfig, readNeighbours } from './neighbour.js';
import { readOffline } from './offline.js';
import { oneOf, Problems, type Rule, Section, text, wholeNumber } from './section.js';
import { readTerminals, type TerminalConfig } from './terminals.js';

/** Everything `tillbridge-agent run` needs to know. */
export interface AgentConfig {
  readonly home: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: the home's own token, made at the first start. */
  readonly tokenFile: string | undefined;
  readonly bridgeUrl: string;
  readonly log: { readonly level: LogLevel; readonly target: string };
  readonly policy: SalePolicy;
  readonly terminals: readonly TerminalConfig[];
  /** Where and for whom the terminals accept cards: what their EMV tables say of the merchant. */
  readonly merchant: MerchantPlace;
  readonly journal: JournalConfig;
  /** Undefined: this agent holds no copies of others. */
  readonly neighbour: NeighbourConfig | undefined;
  /** `live`: no terminal gets a key of test cards. */
  readonly mode: 'test' | 'live';
  /** Certification authorities whose cards the terminals trust; those of test cards when absent. */
  readonly capks?: readonly CapkRecord[];
}

/** The merchant as the terminals' EMV tables name it. */
export interface MerchantPlace {
  /** ISO 3166-1 numeric, three digits (tag 9F1A). */
  readonly country: string;
  /** ISO 4217 alpha-3. */
  readonly currency: string;
  /** Tag 9F15, four digits. */
  readonly merchantCategory: string;
  /** Tag 9F16, up to 15 characters. */
  readonly merchantId: string;
}

/** The configuration is wrong; the message has a line for each problem. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const KEYS = [
  'home',
  'host',
  'port',
  'tokenFile',
  'gateway',
  'log',
  'offline',
  'answerTimeoutMs',
  'cardTimeoutMs',
  'linkWaitMs',
  'overdueAfterMs',
  'partialApproval',
  'terminals',
  'merchant',
  'journal',
  'neighbour',
  'mode',
  'capkFile',
] as const;

/** Variables that override the file, and the key each one stands for. */
export const ENVIRONMENT = {
  AGENT_HOME: 'home',
  AGENT_HOST: 'host',
  AGENT_PORT: 'port',
  AGENT_TOKEN_FILE: 'tokenFile',
  GATEWAY_BRIDGE_URL: 'gateway.bridgeUrl',
  AGENT_LOG_LEVEL: 'log.level',
  AGENT_LOG: 'log.target',
  AGENT_OFFLINE: 'offline',
  AGENT_PARTIAL_APPROVAL: 'partialApproval',
  AGENT_MODE: 'mode',
  AGENT_CAPK_FILE: 'capkFile',
} as const;

/** Most bytes of a configuration file. */
const MAX_FILE_BYTES = 256 * 1024;

const FILE_PATH = text('a path', /^[^\0]{1,1024}$/);

/**
 * Reads the configuration: `file` (YAML) if given, then the environment over it.
 * @throws ConfigError naming every wrong key and value, what was expected, and the near match.
 */
export function loadConfig(file: string | undefined, env: NodeJS.ProcessEnv): AgentConfig {
  const problems = new Problems();
  const written = file === undefined ? {} : readYaml(file);
  const root = new Section(written, file === undefined ? '' : `${file}: `, KEYS, problems);
  const variables = new Section(pick(env), '', Object.keys(ENVIRONMENT), problems);
  const config = read(root, variables, env, problems);
  if (problems.list.length > 0) throw new ConfigError(problems.list.join('\n'));
  return config;
}

function pick(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const set = Object.keys(ENVIRONMENT).flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return Object.fromEntries(set);
}

function readYaml(file: string): unknown {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`${file} cannot be read (${code}): expected a configuration file in YAML`);
  }
  if (source.length > MAX_FILE_BYTES) throw new ConfigError(`${file} is larger than ${MAX_FILE_BYTES} bytes`);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [first] = document.errors;
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    throw new ConfigError(`${file}:${line}:${col} is no valid YAML: ${first.message}`);
  }
  return document.toJS({ maxAliasCount: 0 });
}

function read(root: Section, variables: Section, env: NodeJS.ProcessEnv, problems: Problems): AgentConfig {
  const gateway = new Section(root.raw('gateway'), root.at('gateway'), ['bridgeUrl'], problems);
  const log = new Section(root.raw('log'), root.at('log'), ['level', 'target'], problems);
  const over = <T>(
    name: keyof typeof ENVIRONMENT,
    section: Section,
    key: string,
    rule: Rule<T>,
    preset: T,
  ): T => variables.read(name, rule, section.read(key, rule, preset));

  const base = join(env.TILLBRIDGE_HOME || '.local', 'agent');
  const home = resolve(over('AGENT_HOME', root, 'home', FILE_PATH, base));
  const terminals = readTerminals(root, problems);
  const tokenFile = over<string | undefined>('AGENT_TOKEN_FILE', root, 'tokenFile', FILE_PATH, undefined);
  return {
    home,
    host: over(
      'AGENT_HOST',
      root,
      'host',
      text('a host name or address', /^[0-9A-Za-z.:_-]{1,255}$/),
      '127.0.0.1',
    ),
    port: over('AGENT_PORT', root, 'port', wholeNumber(0, 65_535, 'a port'), 8090),
    tokenFile: tokenFile === undefined ? undefined : resolve(tokenFile),
    bridgeUrl: over('GATEWAY_BRIDGE_URL', gateway, 'bridgeUrl', BRIDGE_URL, 'ws://127.0.0.1:8080/bridge'),
    log: {
      level: over('AGENT_LOG_LEVEL', log, 'level', oneOf(LOG_LEVELS), 'info'),
      target: over(
        'AGENT_LOG',
        log,
        'target',
        text('stderr or a path', /^[^\0]{1,1024}$/),
        join(home, 'agent.log'),
      ),
    },
    policy: readPolicy(root, variables, problems),
    terminals,
    ...readTrust(
      over('AGENT_MODE', root, 'mode', MODE, 'test'),
      over<string | undefined>('AGENT_CAPK_FILE', root, 'capkFile', FILE_PATH, undefined),
      terminals,
      root,
      problems,
    ),
    merchant: readMerchant(root, problems),
    journal: readJournal(root, problems),
    neighbour: readNeighbours(root, home, problems),
  };
}

const MODE = oneOf(['test', 'live'] as const);

/** Which authorities the terminals trust. In live mode the acquirer's own must be named: the built-in ones sign test cards. */
function readTrust(
  mode: 'test' | 'live',
  capkFile: string | undefined,
  terminals: readonly TerminalConfig[],
  root: Section,
  problems: Problems,
): Pick<AgentConfig, 'mode' | 'capks'> {
  if (mode === 'live') refuseSimulated(terminals, root, problems);
  const place = root.at('capkFile');
  if (capkFile !== undefined) return { mode, capks: readCapkFile(resolve(capkFile), mode, place, problems) };
  const inNeed = terminals.find(({ deviceType }) => deviceTypeSpec(deviceType).emvTables);
  if (mode === 'live' && inNeed !== undefined)
    problems.add(
      place,
      `is missing: in live mode terminal ${inNeed.id} needs the acquirer's certification authority keys, the built-in ones are of test cards`,
    );
  return { mode };
}

/** Nothing real speaks HID over a socket: there a simulator would sell for money. */
function refuseSimulated(terminals: readonly TerminalConfig[], root: Section, problems: Problems): void {
  for (const { id, path } of terminals) {
    if (path.startsWith(UNIX_PREFIX)) {
      problems.add(
        root.at('terminals'),
        `has ${id} on ${path}, a simulated device; live mode takes real ones: vendor:product[:serial]`,
      );
    }
  }
}

/** A store of a development system, in Germany. */
const DEVELOPMENT_MERCHANT: MerchantPlace = {
  country: '276',
  currency: 'EUR',
  merchantCategory: '5999',
  merchantId: 'TILLBRIDGE',
};

function readMerchant(root: Section, problems: Problems): MerchantPlace {
  const keys = Object.keys(DEVELOPMENT_MERCHANT);
  const merchant = new Section(root.raw('merchant'), root.at('merchant'), keys, problems);
  const digits = (count: number, what: string) =>
    text(`${what}: ${count} digits in quotes`, new RegExp(`^\\d{${count}}$`));
  const currency: Rule<string> = {
    expected: 'an ISO 4217 code such as EUR',
    read: (value) => (typeof value === 'string' && currencyNumber(value) !== undefined ? value : undefined),
  };
  const preset = DEVELOPMENT_MERCHANT;
  return {
    country: merchant.read('country', digits(3, 'a country of ISO 3166-1'), preset.country),
    currency: merchant.read('currency', currency, preset.currency),
    merchantCategory: merchant.read(
      'merchantCategory',
      digits(4, 'a category code'),
      preset.merchantCategory,
    ),
    merchantId: merchant.read(
      'merchantId',
      text('1 to 15 letters or digits', /^[0-9A-Za-z]{1,15}$/),
      preset.merchantId,
    ),
  };
}

const PARTIAL_APPROVAL = oneOf(['accept', 'reverse'] as const);

function readPolicy(root: Section, variables: Section, problems: Problems): SalePolicy {
  const timeout = wholeNumber(100, 600_000, 'milliseconds');
  const fromEnv = variables.raw('AGENT_OFFLINE');
  return {
    ...DEFAULT_POLICY,
    answerTimeoutMs: root.read('answerTimeoutMs', timeout, DEFAULT_POLICY.answerTimeoutMs),
    cardTimeoutMs: root.read('cardTimeoutMs', timeout, DEFAULT_POLICY.cardTimeoutMs),
    linkWaitMs: root.read('linkWaitMs', wholeNumber(0, 60_000, 'milliseconds'), DEFAULT_POLICY.linkWaitMs),
    overdueAfterMs: root.read(
      'overdueAfterMs',
      wholeNumber(60_000, 7 * 86_400_000, 'milliseconds'),
      DEFAULT_POLICY.overdueAfterMs,
    ),
    partialApproval: variables.read(
      'AGENT_PARTIAL_APPROVAL',
      PARTIAL_APPROVAL,
      root.read('partialApproval', PARTIAL_APPROVAL, DEFAULT_POLICY.partialApproval),
    ),
    offline:
      fromEnv === undefined
        ? readOffline(root.raw('offline'), root.at('offline'), problems)
        : readOffline(offlineVariable(String(fromEnv)), 'AGENT_OFFLINE', problems),
  };
}

/** `on`, `off`, or the limits in the words of the file, as YAML or JSON. */
function offlineVariable(written: string): unknown {
  const document = parseDocument(written);
  return document.errors.length > 0 ? written : document.toJS({ maxAliasCount: 0 });
}

/** Plain `ws:` carries card data in clear and stays on this machine. */
const BRIDGE_URL: Rule<string> = {
  expected: 'a wss: address, or ws: on loopback, such as wss://gateway.example/bridge',
  read: (value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    if (url.username || url.password || url.hash) return undefined;
    const local = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
    return url.protocol === 'wss:' || (url.protocol === 'ws:' && local) ? url.href : undefined;
  },
  hint: (value) => {
    if (typeof value !== 'string') return '';
    if (/^https?:/.test(value)) return `; did you mean ${value.startsWith('https') ? 'wss:' : 'ws:'}?`;
    return value.startsWith('ws:') ? '; ws: to another machine would carry card data in clear: use wss:' : '';
  },
};
