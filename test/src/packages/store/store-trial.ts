import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import { issueCertificate, makeAuthority } from '@tillbridge/platform/net/own-authority.js';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { AgentClient } from '../../clients/agent-client.js';
import { until } from '../../clients/http.js';
import { type PartProcess, startPart } from '../../stack/part-process.js';
import type { CommandEnd, Outside } from '../outside.js';
import { PackageFailure } from '../package-failure.js';
import { drillKeys } from '../release/drill-programs.js';
import type { Program } from '../targets.js';
import { type ReleaseServer, serveRelease } from './release-server.js';
import { asRelease, unpackedEntries } from './releases-of.js';
import { UserServices } from './user-services.js';

const AGENT_ID = 'tried-store';
/** One on a serial line, one by USB-HID: no such device is on a machine of tests, so its reports come through the simulator's socket. */
const TERMINALS = [
  { id: '1001', deviceType: 'GERTEC_PPC930', serial: 'G0001001', defaultCard: 'visa-credit-online' },
  { id: '1002', deviceType: 'MAGTEK_DYNAFLEX', serial: 'B0001005', defaultCard: 'visa-credit-online' },
] as const;
/** How long an agent may take to come on a busy machine. */
const SETTLE_MS = 120_000;
/** The certificates hold for thirty of them. */
const DAY_MS = 86_400_000;

/** Unpacked programs outside of the checkout, by the paths of their commands. */
export type TriedPrograms = Readonly<Record<Program['name'], string>>;

/** What a trial found. */
export interface StoreTrialResult {
  /** From the unpacking of the agent's archive to the end of the first sale of a till. */
  readonly firstSaleSeconds: number;
}

interface SeededMerchant {
  readonly merchant: { readonly entityId: string };
}

/**
 * A store from packages alone, as an ordinary user: a gateway whose certificate comes from an authority of its own; an agent that is unpacked,
 * installed by a code, sells on a serial and a USB-HID terminal, is updated over https, goes back, and is uninstalled.
 * @param agentFolder the folder of the packed agent: it becomes release 1, and with another number release 2
 * @throws PackageFailure where something does not work
 */
export async function tryStore(
  outside: Outside,
  programs: TriedPrograms,
  agentFolder: string,
  note: (text: string) => void,
): Promise<StoreTrialResult> {
  const releases = mkdtempSync(join(tmpdir(), 'tillbridge-try-releases-'));
  const trial = new StoreTrial(outside, programs, note);
  try {
    const keys = drillKeys();
    const entries = unpackedEntries(agentFolder);
    const first = await asRelease(entries, { folder: releases, release: 1, keys });
    const next = await asRelease(entries, { folder: releases, release: 2, keys });
    await trial.open(next);
    return await trial.run(first);
  } finally {
    await trial.close();
    rmSync(releases, { recursive: true, force: true });
  }
}

class StoreTrial {
  readonly #outside: Outside;
  readonly #programs: TriedPrograms;
  readonly #note: (text: string) => void;
  readonly #parts: PartProcess[] = [];
  readonly #home: string;
  readonly #services: UserServices;
  #gatewayEnv: Readonly<Record<string, string>> = {};
  #port = '';
  #authority = '';
  #ports: readonly string[] = [];
  #server: ReleaseServer | undefined;

  constructor(outside: Outside, programs: TriedPrograms, note: (text: string) => void) {
    this.#outside = outside;
    this.#programs = programs;
    this.#note = note;
    this.#home = outside.home('user');
    this.#services = new UserServices(outside.home('runtime'));
  }

  /** Starts gateway and terminals, and serves a release. */
  async open(release: string): Promise<void> {
    const outside = this.#outside;
    const valid = { fromMs: Date.now() - 60_000, toMs: Date.now() + 30 * DAY_MS };
    const issuer = makeAuthority('Own authority', valid, systemRandom);
    const names = { commonName: 'localhost', dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
    const own = issueCertificate(issuer, names, valid, systemRandom);
    this.#authority = join(outside.folder, 'authority.pem');
    writeFileSync(this.#authority, issuer.certificate);
    chmodSync(this.#authority, 0o644);
    this.#server = await serveRelease(release, own);
    this.#gatewayEnv = {
      GATEWAY_HOME: outside.home('gateway'),
      GATEWAY_PORT: String(await reservedPort()),
      GATEWAY_TLS_CERTIFICATE_FILE: outside.text('certificate.pem', own.certificate),
      GATEWAY_TLS_KEY_FILE: outside.text('key.pem', own.key),
      GATEWAY_BRIDGE_AUTHORITY_FILE: this.#authority,
    };
    this.#port = String(await reservedPort());
    await this.#gateway('seed', '--json');
    await this.#start('gateway', ['serve'], this.#gatewayEnv);
    this.#note('the gateway listens, with a certificate of its own authority');
    this.#ports = await this.#startTerminals();
  }

  /** @param first the folder of the release that is installed */
  async run(first: string): Promise<StoreTrialResult> {
    const code = await this.#code();
    const archive = this.#outside.copy(archiveIn(first));
    const beganMs = performance.now();
    const program = await this.#unpack(archive);
    await this.#install(program, code);
    await this.#sell();
    const firstSaleSeconds = (performance.now() - beganMs) / 1_000;
    this.#note(`${firstSaleSeconds.toFixed(1)} s from the archive to the first sale of a till`);
    await this.#sell(TERMINALS[1].id);
    this.#note(`a sale is approved on a ${TERMINALS[1].deviceType}, too`);
    await this.#update();
    await this.#uninstall();
    await this.#gateway('check');
    this.#note('the consistency check of the gateway finds no difference');
    return { firstSaleSeconds };
  }

  async close(): Promise<void> {
    this.#services.end();
    for (const part of this.#parts.reverse()) await part.stop();
    this.#server?.close();
  }

  /** A code for the agent, with the gateway's address in it. */
  async #code(): Promise<string> {
    const seeded = JSON.parse(await this.#gateway('seed', '--json')) as SeededMerchant;
    const ids = TERMINALS.map(({ id }) => id);
    const about = ['--entity', seeded.merchant.entityId, '--agent', AGENT_ID, '--terminal', ...ids];
    const address = ['--bridge-url', `wss://localhost:${this.#gatewayEnv.GATEWAY_PORT}/bridge`];
    const { code } = JSON.parse(await this.#gateway('agents', 'enrol-code', ...about, ...address)) as {
      readonly code: string;
    };
    return code;
  }

  async #unpack(archive: string): Promise<string> {
    const folder = this.#outside.home('unpacked');
    await this.#outside.command(['tar', '-xzf', archive, '-C', folder, '--strip-components=1']);
    return join(folder, 'bin', 'tillbridge-agent');
  }

  /** The gateway does not know the devices before they are plugged in: its operator adds them, and `install` goes on. */
  async #install(program: string, code: string): Promise<void> {
    const ports = this.#ports.flatMap((port) => ['--port', port]);
    const first = await this.#ended(program, ['install', code, '--json', ...ports]);
    const { steps, left } = stepsOf(first);
    const textOf = (id: string) => steps.find((step) => step.id === id)?.text ?? '';
    demand(/^version 0\.1\.1 is in its slot/, textOf('program'), first);
    demand(/^1001 is a GERTEC_PPC930 on .*; 1002 is a MAGTEK_DYNAFLEX on unix:/, textOf('terminals'), first);
    demand(/devices add/, left.join('; '), first);
    demand(/^it runs/, textOf('start'), first);
    await this.#untilTodo();
    this.#note(`installed; ${textOf('terminals')}`);
    const devices = this.#outside.file(join(this.#outside.folder, 'devices.yaml'), DEVICES);
    await this.#gateway('seed', '--json', '--devices', devices);
    const again = await this.#ended(COMMAND, ['install', '--json']);
    demand(/^0$/, String(again.code), again);
    this.#note('the devices are added, and the installation finds nothing more to do');
  }

  /** The store shows what the operator of its gateway has to do. */
  async #untilTodo(): Promise<void> {
    const { AGENT_URL: url, AGENT_TOKEN: token } = this.#till;
    const agent = new AgentClient({ url, token });
    const { reason } = await until('something to do for the store', SETTLE_MS, async () => {
      const { todos } = (await agent.status()).body;
      return todos[0];
    });
    demand(/; tillbridge-gateway devices add \S+ /, reason);
    this.#note(`the store shows: ${reason}`);
  }

  async #update(): Promise<void> {
    const config = ['--config', join(this.#home, '.config', 'tillbridge', 'agent.yaml')];
    const url = this.#server?.url ?? '';
    const trusted = { NODE_EXTRA_CA_CERTS: this.#authority };
    const unknown = await this.#ended(COMMAND, ['update', url, '--check', ...config]);
    demand(/an authority that this machine does not know/, unknown.stderr, unknown);
    await this.#agent(['update', url, ...config], trusted);
    await this.#runsFrom('b', '0.1.2');
    await this.#agent(['update', 'rollback', ...config]);
    await this.#runsFrom('a', '0.1.1');
  }

  /** The service runs the program of a slot, which sells on both terminals. */
  async #runsFrom(slot: string, version: string): Promise<void> {
    const { current } = JSON.parse(await this.#agent(['update', 'status', '--json'])) as {
      readonly current: { readonly slot: string; readonly version: string };
    };
    demand(new RegExp(`^${slot} ${version}$`), `${current.slot} ${current.version}`);
    for (const { id } of TERMINALS) await this.#sell(id);
    this.#note(`version ${version} sells from slot ${slot}`);
  }

  async #uninstall(): Promise<void> {
    await this.#agent(['uninstall', '--purge', AGENT_ID]);
    const left = readdirSync(this.#home, { recursive: true, withFileTypes: true });
    const files = left.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    demand(/^$/, files.join(', '));
    this.#note('uninstalled: no file is left');
  }

  async #sell(terminal: string = TERMINALS[0].id): Promise<void> {
    const words = ['sale', '--amount', '12.34', '--currency', 'EUR', '--terminal', terminal];
    await this.#agent(words, this.#till);
  }

  /** By what a till finds the agent. */
  get #till() {
    const home = join(this.#home, '.local', 'state', 'tillbridge-agent');
    return {
      AGENT_URL: `http://127.0.0.1:${this.#port}`,
      AGENT_TOKEN: readFileSync(join(home, 'till-token'), 'utf8').trim(),
    };
  }

  /** The command of the agent, by its path or by its name in the user's search path. */
  #ended(
    program: string,
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<CommandEnd> {
    const bin = join(this.#home, '.local', 'bin');
    const { PATH = '', ...own } = this.#services.env;
    const variables = { HOME: this.#home, AGENT_PORT: this.#port, ...own, PATH: `${bin}:${PATH}` };
    return this.#outside.ended([program, ...words], { ...variables, ...env });
  }

  /** @throws PackageFailure where it does not succeed */
  async #agent(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
    const end = await this.#ended(COMMAND, words, env);
    const { code, stdout, stderr } = end;
    if (code === 0) return stdout.trim();
    throw new PackageFailure(`${words.join(' ')} failed\n${stderr}${stdout}\n${this.#services.log}`.trim());
  }

  #gateway(...words: readonly string[]): Promise<string> {
    return this.#outside.command([this.#programs.gateway, ...words], this.#gatewayEnv);
  }

  async #start(
    name: Program['name'],
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> {
    const runner = this.#outside.runner(env);
    const part = await startPart({ name, args: [this.#programs[name], ...args], runner });
    this.#parts.push(part);
    return part.listening;
  }

  /** Gives the ports of the terminals as `install` takes them. */
  async #startTerminals(): Promise<readonly string[]> {
    const home = this.#outside.home('simulator');
    const settings = { home, port: 0, auto: true, autoDelayMs: 0, terminals: TERMINALS };
    const config = this.#outside.file(join(home, 'simulator.yaml'), settings);
    const { terminals } = (await this.#start('simulator', ['run', '--config', config], {})) as {
      readonly terminals: readonly { readonly id: string; readonly path: string }[];
    };
    return terminals.map(({ id, path }) => `${id}=${path}`);
  }
}

/** The name that install gives the program in the search path. */
const COMMAND = 'tillbridge-agent';

/** The terminals in the gateway's inventory. */
const DEVICES = TERMINALS.map(({ id, deviceType, serial }) => {
  const { ksnData, ksnPin } = defaultKsns(deviceType, serial);
  return { serial, deviceType, accountKsn: ksnData, pinKsn: ksnPin, agentId: AGENT_ID, terminalId: id };
});

function archiveIn(folder: string): string {
  const name = readdirSync(folder).find((file) => file.endsWith('.tar.gz'));
  return join(folder, name ?? '');
}

interface StepsReport {
  readonly steps: readonly { readonly id: string; readonly text: string }[];
  readonly left: readonly string[];
}

function stepsOf({ stdout, stderr }: CommandEnd): StepsReport {
  try {
    return JSON.parse(stdout) as StepsReport;
  } catch {
    throw new PackageFailure(`no steps were printed\n${stderr}${stdout}`);
  }
}

/** @throws PackageFailure where the text has another form, with what the command printed */
function demand(form: RegExp, text: string, end?: CommandEnd): void {
  if (form.test(text)) return;
  const printed = end ? `\n${end.stderr}${end.stdout}` : '';
  throw new PackageFailure(`"${text}" was found, and ${form} was expected${printed}`);
}
