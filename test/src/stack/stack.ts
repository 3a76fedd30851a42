import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AcquirerConfig } from '@tillbridge/gateway/core/acquirers/configuration/acquirer-section.js';
import { EXTERNAL_ACQUIRER } from '@tillbridge/gateway/security/development-keys.js';
import { type DevFile, readDevFile, writeDevFile } from './dev-file.js';
import { makeHome, partHome } from './layout.js';
import { PART_NAMES, type PartName, type StackOptions } from './options.js';
import type { HostName, PartProcess } from './part-process.js';
import {
  type AgentPart,
  formerPort,
  type GatewayPart,
  type Seed,
  type SimulatorPart,
  seedGateway,
  startAcquirerHost,
  startAgent,
  startBank,
  startGateway,
  startSimulator,
  startThreeDSecure,
} from './parts.js';

/** Options of a stack beyond the command line. */
export interface StackExtras {
  /** Shorter than the agent's own default, so that a tour need not wait. */
  readonly answerTimeoutMs?: number;
  /** The agent's `journal` section: retention and copy. */
  readonly journal?: object;
  /** The agent's `zvt` section. */
  readonly zvt?: object;
  /** The agent's `store` section. */
  readonly store?: object;
  /** What staff calls the terminals, by id. */
  readonly terminalNames?: Readonly<Record<string, string>>;
  /** Records what passes over each terminal's line, masked, into `traces/` of the agent's home. */
  readonly traces?: boolean;
  /** Called before each part and host is prepared and started. */
  readonly onStart?: (name: PartName | HostName) => void;
  /** How long the simulated cardholder takes for each step; its own default when left out. */
  readonly autoDelayMs?: number;
  /** Variables of every start of the agent. */
  readonly agentEnv?: NodeJS.ProcessEnv;
  /** What the home was prepared with; left out: it is prepared first. */
  readonly seed?: Seed;
  /** How many terminals there are, the first two of one model; left out: all. */
  readonly terminalCount?: number;
  /** False: nothing of it needs the simulated bank, nor 3D Secure, nor the acquirer's host but for test mode EXTERNAL. */
  readonly hosts?: boolean;
  /** Of the proxy through which the agent reaches the gateway; left out: any free one. */
  readonly proxyPort?: number;
  /** False: no till speaks nexo, and the agent makes no certificate. */
  readonly nexo?: boolean;
  /** Variables of every start of the gateway. */
  readonly gatewayEnv?: NodeJS.ProcessEnv;
  /** Settings of the link to the acquirer's host, in addition to its name and address. */
  readonly link?: Partial<AcquirerConfig>;
}

/** What a stack can start again: a part, or the acquirer's host. */
export type Restartable = PartName | 'acquirerHost';

/** The whole system, or the requested part of it. */
export interface Stack {
  /** Content of `dev.json` as it now is. */
  readonly dev: DevFile;
  /** The process of a part or host, if this stack started it. */
  part(name: PartName | HostName): PartProcess | undefined;
  /** Starts a part again that has ended, on its former ports; an agent with variables of only this start, if there are any. */
  restart(name: Restartable, agentEnv?: NodeJS.ProcessEnv): Promise<void>;
  /** Ends every part, the agent first. */
  stop(): Promise<void>;
}

/** What an earlier start sent the simulator; kept in its configuration because nothing outside needs it. */
interface FormerSimulator {
  readonly proxy?: { readonly port?: number };
  readonly gateway?: { readonly token?: string };
}

function formerSimulator(home: string): FormerSimulator {
  try {
    return JSON.parse(
      readFileSync(join(partHome(home, 'simulator'), 'config.yaml'), 'utf8'),
    ) as FormerSimulator;
  } catch {
    return {};
  }
}

/**
 * Starts the system on `options.home`, or one part of it.
 * @throws StartFailure when a part does not come up; what had started is ended first.
 */
export async function startStack(options: StackOptions, extras: StackExtras = {}): Promise<Stack> {
  makeHome(options.home);
  const builder = new StackBuilder(options, extras);
  try {
    for (const name of ['gateway', 'simulator', 'agent'] as const) {
      if (!options.only || options.only === name) await builder.start(name);
    }
  } catch (error) {
    await builder.stop();
    throw error;
  }
  return builder;
}

async function answers(url: string): Promise<boolean> {
  const { ok } = await fetch(`${url}/healthz`).catch(() => ({ ok: false }));
  return ok;
}

function proxyPortOf(proxyUrl: string | undefined): number {
  return proxyUrl ? Number(new URL(proxyUrl).port) : 0;
}

class StackBuilder implements Stack {
  readonly #options: StackOptions;
  readonly #extras: StackExtras;
  readonly #processes = new Map<PartName, PartProcess>();
  #former: DevFile | undefined;
  #dev: Partial<DevFile>;
  #proxyUrl: string | undefined;
  readonly #hosts = new Map<HostName, PartProcess>();
  #seed: Seed | undefined;
  #agentEnv: NodeJS.ProcessEnv = {};

  constructor(options: StackOptions, extras: StackExtras) {
    this.#options = options;
    this.#extras = extras;
    this.#seed = extras.seed;
    this.#former = readDevFile(options.home);
    this.#dev = options.only ? { ...this.#former } : {};
  }

  get dev(): DevFile {
    return this.#dev as DevFile;
  }

  part(name: PartName | HostName): PartProcess | undefined {
    return this.#processes.get(name as PartName) ?? this.#hosts.get(name as HostName);
  }

  async restart(name: Restartable, agentEnv: NodeJS.ProcessEnv = {}): Promise<void> {
    this.#former = this.dev;
    if (name === 'acquirerHost') return this.#restartAcquirerHost();
    this.#agentEnv = agentEnv;
    await this.start(name, true);
  }

  async start(name: PartName, again = false): Promise<void> {
    const port = this.#port(name, again);
    this.#extras.onStart?.(name);
    const process = await this.#startPart(name, port);
    this.#processes.set(name, process);
    this.#dev = {
      ...this.#dev,
      processes: {
        ...this.#dev.processes,
        [name]: { pid: process.pid, command: process.command },
      } as DevFile['processes'],
    };
    if (PART_NAMES.every((part) => this.#dev.processes?.[part])) writeDevFile(this.#options.home, this.dev);
  }

  async stop(): Promise<void> {
    for (const name of ['agent', 'simulator', 'gateway'] as const) await this.#processes.get(name)?.stop();
    for (const host of this.#hosts.values()) await host.stop();
  }

  /** A part that is started by itself or again keeps its port, unless the environment names one. */
  #port(name: PartName, again: boolean): number {
    const configured = this.#options.ports[name];
    const keep =
      again || (this.#options.only !== undefined && !(this.#options.chosen.has(name) && configured !== 0));
    return keep ? formerPort(this.#former, name) || configured : configured;
  }

  async #startPart(name: PartName, port: number): Promise<PartProcess> {
    if (name === 'gateway') return this.#gateway(port);
    return name === 'simulator' ? this.#simulator(port) : this.#agent(port);
  }

  async #gateway(port: number): Promise<PartProcess> {
    // A home is prepared once: to start the gateway again is one process, not two.
    const { home, only, external } = this.#options;
    const testMode = external ? 'EXTERNAL' : 'INTERNAL';
    this.#seed ??= await seedGateway(home, port, only === undefined ? testMode : undefined);
    const hosts = await this.#startHosts();
    const { bank, threeDs, acquirerHost } = hosts;
    const { link, gatewayEnv } = this.#extras;
    const acquirers = acquirerHost && [{ name: EXTERNAL_ACQUIRER, hosts: acquirerHost.address, ...link }];
    const gateway: GatewayPart = await startGateway(home, port, {
      ...gatewayEnv,
      ...(bank && { GATEWAY_SIMULATED_BANK_URL: bank.url }),
      ...(threeDs && { GATEWAY_DIRECTORY_SERVER_URL: threeDs.directoryUrl }),
      ...(acquirers && { GATEWAY_ACQUIRERS: JSON.stringify(acquirers) }),
    });
    this.#dev = {
      ...this.#dev,
      ...hosts,
      gateway: { url: gateway.url, bridgeUrl: gateway.bridgeUrl },
      merchant: this.#seed.merchant,
      legacyMerchant: this.#seed.legacyMerchant,
      threeDSecureMerchant: this.#seed.threeDSecureMerchant,
      externalMerchant: this.#seed.externalMerchant,
      console: { url: `${gateway.url}/console`, ...this.#seed.console },
      processes: { ...this.#dev.processes, ...this.#hostProcesses() } as DevFile['processes'],
    };
    return gateway.process;
  }

  /** The hosts that something of it needs. */
  async #startHosts(): Promise<Partial<Pick<DevFile, HostName>>> {
    const { home, external } = this.#options;
    const isAll = this.#extras.hosts !== false;
    return {
      ...(isAll && {
        bank: await this.#host('bank', startBank),
        threeDs: await this.#host('threeDs', startThreeDSecure),
      }),
      ...((isAll || external) && {
        acquirerHost: await this.#host('acquirerHost', (controlPort) =>
          startAcquirerHost(home, this.#hostPort(), controlPort, this.#extras.link?.dialect),
        ),
      }),
    };
  }

  /** Started again, the host keeps the port that the gateway knows. */
  #hostPort(again = this.#options.only !== undefined): number {
    const former = this.#former?.acquirerHost?.address;
    const isAgain = former !== undefined && again;
    return isAgain ? Number(former.slice(former.lastIndexOf(':') + 1)) : this.#options.hostPort;
  }

  async #restartAcquirerHost(): Promise<void> {
    const controlPort = formerPort(this.#former, 'acquirerHost');
    const { dialect } = this.#extras.link ?? {};
    const host = await startAcquirerHost(this.#options.home, this.#hostPort(true), controlPort, dialect);
    this.#hosts.set('acquirerHost', host);
    const processes = { ...this.#dev.processes, ...this.#hostProcesses() } as DevFile['processes'];
    this.#dev = { ...this.#dev, processes };
  }

  #hostProcesses(): Record<string, { readonly pid: number; readonly command: string }> {
    return Object.fromEntries([...this.#hosts].map(([name, { pid, command }]) => [name, { pid, command }]));
  }

  /** A host that the gateway speaks to: the one that runs, or that of an earlier start if it still answers. */
  async #host<N extends HostName>(
    name: N,
    start: (port: number) => Promise<PartProcess>,
  ): Promise<DevFile[N]> {
    const running = this.#hosts.get(name);
    if (running?.running) return running.listening as DevFile[N];
    const former = this.#former?.[name];
    if (this.#options.only !== undefined && former && (await answers(former.url))) return former;
    this.#extras.onStart?.(name);
    const host = await start(this.#options.only === undefined ? 0 : formerPort(this.#former, name));
    this.#hosts.set(name, host);
    return host.listening as DevFile[N];
  }

  async #simulator(port: number): Promise<PartProcess> {
    const { home, auto, only } = this.#options;
    const gatewayUrl = this.#need('gateway').url;
    const former = formerSimulator(home);
    const simulatorToken = this.#seed?.simulatorToken ?? former.gateway?.token ?? '';
    // Started again, the proxy keeps the port that the agent knows.
    const proxyPort = only || this.#proxyUrl ? proxyPortOf(this.#proxyUrl) || former.proxy?.port || 0 : 0;
    const acquirerControlPort = formerPort(this.#dev as DevFile, 'acquirerHost');
    const simulator: SimulatorPart = await startSimulator(home, {
      ...{ port, proxyPort, auto, gatewayUrl, simulatorToken, acquirerControlPort },
      ...this.#extras,
    });
    this.#proxyUrl = simulator.proxyUrl;
    this.#dev = { ...this.#dev, simulator: { url: simulator.url }, terminals: simulator.terminals };
    return simulator.process;
  }

  async #agent(port: number): Promise<PartProcess> {
    const bridgeUrl = this.#bridgeUrl();
    const agent: AgentPart = await startAgent(this.#options.home, {
      port,
      nexoPort: this.#nexoPort(),
      bridgeUrl,
      entityId: this.#need('merchant').entityId,
      terminals: this.#need('terminals'),
      offline: this.#options.offline,
      env: { ...this.#extras.agentEnv, ...this.#agentEnv },
      ...this.#extras,
    });
    const { process, ...entry } = agent;
    this.#dev = { ...this.#dev, agent: entry };
    return process;
  }

  /** Started again, the agent keeps the port that tills know. */
  #nexoPort(): number {
    const former = this.#former?.agent?.nexoUrl;
    const again = former !== undefined && (this.#options.only !== undefined || this.#processes.has('agent'));
    return again ? Number(new URL(former).port) : this.#options.nexoPort;
  }

  /** The agent reaches the gateway through the simulator's proxy, so that the network can be cut. */
  #bridgeUrl(): string {
    const proxyPort = proxyPortOf(this.#proxyUrl) || formerSimulator(this.#options.home).proxy?.port;
    const url = new URL(this.#need('gateway').bridgeUrl);
    if (proxyPort) url.port = String(proxyPort);
    return url.href;
  }

  #need<K extends 'gateway' | 'merchant' | 'terminals'>(key: K): DevFile[K] {
    const value = this.#dev[key];
    if (!value)
      throw new Error(
        `there is no earlier start in ${this.#options.home}: run npm start without --only first`,
      );
    return value;
  }
}
