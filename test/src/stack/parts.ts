import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { knownAgentId } from '@tillbridge/agent/uplink/identity.js';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import type { AgentEntry, DevFile, TerminalEntry } from './dev-file.js';
import {
  AGENT_ID,
  acquirerHostHome,
  ensureSecretFile,
  NODE_OPTIONS,
  PROGRAMS,
  partHome,
  ROOT,
  writeConfig,
} from './layout.js';
import type { PartName } from './options.js';
import { type HostName, type PartProcess, startPart } from './part-process.js';
import { StartFailure } from './start-failure.js';
import type { TestMode } from './test-mode.js';

/** The terminals of the development system: one of each model, and two of the first, so that it sells twice at once. */
const TERMINALS = [
  {
    id: '1001',
    deviceType: 'GERTEC_PPC930',
    serial: 'G0001001',
    deviceId: '10010001',
    defaultCard: 'visa-credit-online',
  },
  {
    id: '1002',
    deviceType: 'GERTEC_PPC930',
    serial: 'G0001002',
    deviceId: '10020001',
    defaultCard: 'mastercard-debit-pin',
  },
  {
    id: '1003',
    deviceType: 'MIURA_M020',
    serial: 'M0001003',
    deviceId: '10030001',
    defaultCard: 'visa-contactless',
  },
  {
    id: '1004',
    deviceType: 'VERIFONE_P400',
    serial: 'V0001004',
    deviceId: '10040001',
    defaultCard: 'mastercard-cda',
  },
  {
    id: '1005',
    deviceType: 'MAGTEK_DYNAFLEX',
    serial: 'B0001005',
    deviceId: '10050001',
    defaultCard: 'visa-credit-online',
  },
  {
    id: '1006',
    deviceType: 'NEWLAND_P180',
    serial: 'N0001006',
    deviceId: '10060001',
    defaultCard: 'mastercard-debit-pin',
  },
  {
    id: '1007',
    deviceType: 'IDTECH_VP6800',
    serial: 'I0001007',
    deviceId: '10070001',
    defaultCard: 'visa-credit-online',
  },
] as const;

/** The same in the gateway's inventory. */
const DEVICES = TERMINALS.map(({ id, deviceType, serial }) => {
  const { ksnData, ksnPin } = defaultKsns(deviceType, serial);
  return { serial, deviceType, accountKsn: ksnData, pinKsn: ksnPin, agentId: AGENT_ID, terminalId: id };
});

/** The output of `tillbridge-gateway seed --json`. */
export interface Seed {
  readonly merchant: DevFile['merchant'];
  readonly legacyMerchant: DevFile['legacyMerchant'];
  readonly threeDSecureMerchant: DevFile['threeDSecureMerchant'];
  readonly externalMerchant: DevFile['externalMerchant'];
  /** Reads the acquirer simulator's record. */
  readonly simulatorToken: string;
  /** A user of the console. */
  readonly console: Omit<DevFile['console'], 'url'>;
}

/** A running gateway and where it is. */
export interface GatewayPart {
  readonly process: PartProcess;
  readonly url: string;
  readonly bridgeUrl: string;
}

/** A running simulator, its terminals, and the proxy through which the agent reaches the gateway. */
export interface SimulatorPart {
  readonly process: PartProcess;
  readonly url: string;
  readonly proxyUrl: string;
  readonly terminals: readonly TerminalEntry[];
}

/** A running agent. */
export interface AgentPart extends AgentEntry {
  readonly process: PartProcess;
}

const run = promisify(execFile);

function gatewayEnv(home: string, port: number): NodeJS.ProcessEnv {
  return { GATEWAY_HOME: partHome(home, 'gateway'), GATEWAY_PORT: String(port), GATEWAY_HOST: '127.0.0.1' };
}

/**
 * Registers the development merchant; the same again on a second start.
 * @param testMode of its channel; undefined: it stays as it is
 * @throws StartFailure with the program's own words.
 */
export async function seedGateway(home: string, port: number, testMode?: TestMode): Promise<Seed> {
  const words = ['seed', '--json', ...(testMode === undefined ? [] : ['--test-mode', testMode])];
  return JSON.parse(await command('gateway', words, gatewayEnv(home, port))) as Seed;
}

/**
 * Runs a command of a part that ends by itself; resolves with its output.
 * @throws StartFailure with the program's own words
 */
async function command(part: PartName, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const options = { env: { ...process.env, ...env }, cwd: ROOT };
    const { stdout } = await run(process.execPath, [PROGRAMS[part], ...args], options);
    return stdout;
  } catch (error) {
    const { stderr = '', code = 1 } = error as { stderr?: string; code?: number };
    throw new StartFailure(
      `${part} could not be prepared\n${stderr || String(error)}`.trim(),
      Number(code) || 1,
    );
  }
}

/** Starts the simulated bank, at which shoppers approve payments. */
export function startBank(port: number): Promise<PartProcess> {
  return startPart({ name: 'bank', args: [PROGRAMS.simulator, 'bank', '--port', String(port)] });
}

/** Starts directory server and access control server of 3D Secure. */
export function startThreeDSecure(port: number): Promise<PartProcess> {
  const env = { SIM_THREEDS_PORT: String(port) };
  return startPart({ name: 'threeDs', args: [PROGRAMS.simulator, 'threeds'], env });
}

/** Starts the acquirer's host of test mode EXTERNAL. @param controlPort of its REST control @param dialect that it speaks, if not its usual one */
export function startAcquirerHost(
  home: string,
  port: number,
  controlPort: number,
  dialect?: DialectName,
): Promise<PartProcess> {
  const env = {
    SIM_ACQUIRER_HOME: acquirerHostHome(home),
    SIM_ACQUIRER_CONTROL_PORT: String(controlPort),
    HOST_PORT: String(port),
    ...(dialect && { SIM_ACQUIRER_DIALECT: dialect }),
  };
  return startPart({ name: 'acquirerHost', args: [PROGRAMS.simulator, 'acquirer-host'], env });
}

/** Starts the gateway; `env` are further variables of the process. */
export async function startGateway(
  home: string,
  port: number,
  env: NodeJS.ProcessEnv = {},
): Promise<GatewayPart> {
  const process = await startPart({
    name: 'gateway',
    args: [...NODE_OPTIONS.gateway, PROGRAMS.gateway, 'serve'],
    env: { ...gatewayEnv(home, port), ...env },
  });
  const { url, bridgeUrl } = process.listening as { url: string; bridgeUrl: string };
  return { process, url, bridgeUrl };
}

/** What the simulator has to know of the rest. */
interface SimulatorSettings {
  readonly port: number;
  readonly proxyPort: number;
  readonly auto: boolean;
  readonly gatewayUrl: string;
  readonly simulatorToken: string;
  /** Port of the REST control of the acquirer's host; left out: none runs. */
  readonly acquirerControlPort?: number;
  /** See the simulator's own configuration. */
  readonly autoDelayMs?: number;
  /** How many of the terminals there are; left out: all. */
  readonly terminalCount?: number;
}

/** Starts the simulator with its terminals. */
export async function startSimulator(home: string, settings: SimulatorSettings): Promise<SimulatorPart> {
  const folder = partHome(home, 'simulator');
  const { hostname, port } = new URL(settings.gatewayUrl);
  const path = join(folder, 'config.yaml');
  const content = (proxyPort: number) => ({
    home: folder,
    port: settings.port,
    auto: settings.auto,
    ...(settings.autoDelayMs !== undefined && { autoDelayMs: settings.autoDelayMs }),
    terminals: TERMINALS.slice(0, settings.terminalCount).map(({ id, deviceType, serial, defaultCard }) => ({
      id,
      deviceType,
      serial,
      defaultCard,
    })),
    proxy: { port: proxyPort, target: `${hostname}:${port}` },
    gateway: { url: settings.gatewayUrl, token: settings.simulatorToken },
    acquirerHost: { controlPort: settings.acquirerControlPort ?? 0 },
  });
  const config = writeConfig(path, content(settings.proxyPort));
  const process = await startPart({
    name: 'simulator',
    args: [PROGRAMS.simulator, 'run', '--config', config],
    // Our own SIM_PORT may be 0 where this start keeps a former port, and a program's environment overrides its file.
    env: { SIM_PORT: String(settings.port) },
  });
  const { url, proxyUrl, terminals } = process.listening as unknown as Omit<SimulatorPart, 'process'>;
  // The proxy's port is kept for a later start of only the simulator: the agent goes on using it.
  writeConfig(path, content(Number(new URL(proxyUrl).port)));
  return { process, url, proxyUrl, terminals };
}

/** What the agent has to know of the rest. */
export interface AgentSettings {
  readonly port: number;
  readonly nexoPort: number;
  /** The channel that it sells for. */
  readonly entityId: string;
  readonly bridgeUrl: string;
  readonly terminals: readonly TerminalEntry[];
  readonly offline: string | undefined;
  /** How long a live answer may take before the outcome counts as unknown. */
  readonly answerTimeoutMs?: number;
  /** The `journal` section of its configuration. */
  readonly journal?: object;
  /** The `zvt` section; without it no till speaks ZVT. */
  readonly zvt?: object;
  /** The `store` section. */
  readonly store?: object;
  /** What staff calls the terminals, by id. */
  readonly terminalNames?: Readonly<Record<string, string>>;
  /** Records what passes over each terminal's line, masked, into `traces/` of the agent's home. */
  readonly traces?: boolean;
  /** False: no till speaks nexo. */
  readonly nexo?: boolean;
  /** Further variables of the process. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Enrols the agent of a home that is not enrolled, as an operator does: a code of the gateway, and the agent's own command. Its devices
 * are added then: a place in the inventory names an agent that is known.
 */
export async function enrolAgent(
  home: string,
  { entityId, bridgeUrl }: Pick<AgentSettings, 'entityId' | 'bridgeUrl'>,
): Promise<void> {
  const terminals = TERMINALS.flatMap(({ id }) => ['--terminal', id]);
  const about = ['--entity', entityId, '--agent', AGENT_ID, ...terminals];
  const issued = await command('gateway', ['agents', 'enrol-code', ...about], gatewayEnv(home, 0));
  const { code } = JSON.parse(issued) as { readonly code: string };
  await command('agent', ['enrol', code], {
    AGENT_HOME: partHome(home, 'agent'),
    GATEWAY_BRIDGE_URL: bridgeUrl,
  });
  const devices = writeConfig(join(partHome(home, 'gateway'), 'devices.yaml'), DEVICES);
  await command('gateway', ['seed', '--json', '--devices', devices], gatewayEnv(home, 0));
  const policy = writeConfig(join(partHome(home, 'gateway'), 'store-policy.json'), STORE_POLICY);
  await command('gateway', ['entity', 'policy', entityId, '--file', policy], gatewayEnv(home, 0));
}

/** What the store may do beyond the standard: tips and cash back. JSON is YAML, too. */
const STORE_POLICY = { maxTipPercent: 25, cashBack: { EUR: '100.00' } };

/** Starts the agent; one that is not enrolled is enrolled first. */
export async function startAgent(home: string, settings: AgentSettings): Promise<AgentPart> {
  const folder = partHome(home, 'agent');
  const { nexo: hasNexo = true } = settings;
  const token = ensureSecretFile(join(folder, 'till-token'), () => randomBytes(24).toString('base64url'));
  const deviceIds = new Map<string, string>(TERMINALS.map(({ id, deviceId }) => [id, deviceId]));
  const config = writeConfig(join(folder, 'config.yaml'), {
    home: folder,
    port: settings.port,
    ...(hasNexo && { nexo: { port: settings.nexoPort, plain: true } }),
    tokenFile: join(folder, 'till-token'),
    gateway: { bridgeUrl: settings.bridgeUrl },
    ...(settings.answerTimeoutMs ? { answerTimeoutMs: settings.answerTimeoutMs } : {}),
    ...(settings.journal ? { journal: settings.journal } : {}),
    ...(settings.store ? { store: settings.store } : {}),
    ...(settings.zvt ? { zvt: settings.zvt } : {}),
    terminals: settings.terminals.map(({ id, deviceType, transport, path }) => ({
      id,
      deviceType,
      transport,
      path,
      deviceId: deviceIds.get(id) ?? id,
      ...(settings.terminalNames?.[id] !== undefined && { name: settings.terminalNames[id] }),
      ...(settings.traces && { trace: join(folder, 'traces', `${id}.jsonl`) }),
    })),
  });
  const ports = {
    AGENT_PORT: String(settings.port),
    ...(hasNexo && { NEXO_PORT: String(settings.nexoPort) }),
  };
  const env = { ...ports, AGENT_OFFLINE: settings.offline ?? 'on', ...settings.env };
  if (knownAgentId(settings.env?.AGENT_HOME ?? folder) === undefined) await enrolAgent(home, settings);
  const process = await startPart({ name: 'agent', args: [PROGRAMS.agent, 'run', '--config', config], env });
  const { url, nexo } = process.listening as { url: string; nexo?: Listening };
  return { process, url, token, ...(nexo && nexoEntry(nexo)) } as AgentPart;
}

function nexoEntry({ url, authorityFile, keyFile }: Listening): Omit<AgentEntry, 'url' | 'token'> {
  return {
    nexoUrl: url,
    nexoCa: readFileSync(authorityFile, 'utf8'),
    // A file of several keys begins with that of the store.
    nexoKey: [JSON.parse(readFileSync(keyFile, 'utf8'))].flat()[0] as AgentEntry['nexoKey'],
  };
}

/** What an agent reports of its interface for tills that speak nexo. */
interface Listening {
  readonly url: string;
  readonly authorityFile: string;
  readonly keyFile: string;
}

/** Port of a former start, to be taken again; 0 when there was none. */
export function formerPort(
  dev: DevFile | undefined,
  part: 'gateway' | 'agent' | 'simulator' | HostName,
): number {
  const url = dev?.[part]?.url;
  return url ? Number(new URL(url).port) : 0;
}
