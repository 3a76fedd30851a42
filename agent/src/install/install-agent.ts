import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { type EnrolmentCode, parseEnrolmentCode } from '@tillbridge/wire/bridge/enrolment-code.js';
import { EnrolmentPurpose } from '@tillbridge/wire/bridge/messages.js';
import { type AgentConfig, loadConfig } from '../config/config.js';
import type { Finding } from '../doctor/finding.js';
import { machineFindings } from '../doctor/read-machine.js';
import { userName } from '../doctor/user-name.js';
import { lockAgentHome } from '../home/home-files.js';
import { noteCommand } from '../log/note-command.js';
import { discoverPorts } from '../ports/discovery.js';
import { checkCertificate } from '../uplink/check-certificate.js';
import { NO_PINS } from '../uplink/tls-trust.js';
import { configFile } from './config-file.js';
import { probePorts } from './find-terminals.js';
import { type InstallFacts, type InstallStepId, planInstall } from './install-plan.js';
import { digestOf, Installation } from './installation.js';
import { writeOpenFile } from './open-file.js';
import { onDisk, type Scope } from './places.js';
import { putIntoSlot, slotVersion } from './program-place.js';
import { runSteps, type StepsDeps } from './run-steps.js';
import {
  InstallError,
  makeHome,
  makeUser,
  type StepResult,
  startService,
  writeUdevRules,
  writeUnit,
} from './system-steps.js';
import { assignIds, readGivenPort, terminalCandidates } from './terminal-candidates.js';
import { sellOnTrial, type TrialClient } from './trial-sale.js';

/** Options of `install` as commander gives them. */
export interface InstallOptions {
  readonly system?: boolean;
  readonly user?: boolean;
  readonly root?: string;
  readonly bridgeUrl?: string;
  readonly mode?: 'test' | 'live';
  readonly port?: readonly string[];
  readonly capkFile?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** An agent as its gateway made it, and where it did. */
interface EnrolledAgent {
  readonly agentId: string;
  readonly entityId: string;
  readonly terminals: readonly string[];
}

/** What an installation works with. */
export interface InstallDeps<Enrolled extends EnrolledAgent> extends StepsDeps {
  readonly env: NodeJS.ProcessEnv;
  /** Uses the code for a new agent; nothing but a pending key is written. The caller holds the home's lock. */
  readonly redeem: (config: AgentConfig, code: string) => Promise<Enrolled>;
  /** Gives the home its identity. */
  readonly complete: (home: string, enrolled: Enrolled) => void;
  /** Machine, gateway and terminals, through the agent where one runs. */
  readonly examine: (config: AgentConfig) => Promise<readonly Finding[]>;
  /** Runs this very command by another program; resolves with its exit code. */
  readonly handOver: (program: string) => Promise<number>;
  readonly connect: (address: { readonly url: string; readonly token: string }) => TrialClient;
}

/** Whose installation the options mean: root's is that of the machine. */
export function scopeOf({ system, user }: Pick<InstallOptions, 'system' | 'user'>): Scope {
  if (system && user) throw new InstallError('give one of --system, --user');
  if (system || user) return system ? 'system' : 'user';
  return process.getuid?.() === 0 ? 'system' : 'user';
}

/**
 * Installs the agent, or goes on with an installation: what is done is left alone. Resolves with the exit code: 0 all is done, 1 something
 * stands in the way of a sale.
 * @throws InstallError where it cannot begin
 */
export async function installAgent<Enrolled extends EnrolledAgent>(
  codeText: string | undefined,
  options: InstallOptions,
  deps: InstallDeps<Enrolled>,
): Promise<number> {
  const code = codeText === undefined ? undefined : parseEnrolmentCode(codeText);
  const installing = new Installing(options, deps, codeText, code);
  return installing.run();
}

class Installing<Enrolled extends EnrolledAgent> {
  readonly #installation: Installation;
  readonly #options: InstallOptions;
  readonly #deps: InstallDeps<Enrolled>;
  readonly #codeText: string | undefined;
  readonly #code: EnrolmentCode | undefined;

  constructor(
    options: InstallOptions,
    deps: InstallDeps<Enrolled>,
    codeText: string | undefined,
    code: EnrolmentCode | undefined,
  ) {
    const root = options.root === undefined ? '' : resolve(options.root);
    this.#installation = new Installation(scopeOf(options), deps.env, root);
    this.#options = options;
    this.#deps = deps;
    this.#codeText = codeText;
    this.#code = code;
  }

  async run(): Promise<number> {
    const facts = await this.#facts();
    const plan = planInstall(facts);
    if (plan.kind === 'refused') throw new InstallError(plan.reason);
    const { output } = this.#deps;
    const handsOver = this.#installation.program.kind === 'archive' && !this.#options.dryRun;
    const planned = handsOver ? plan.steps.filter(({ id }) => id === 'program') : plan.steps;
    const { steps, exitCode } = await runSteps(planned, this.#work(), this.#options, this.#deps);
    if (handsOver && exitCode === 0) return this.#handOver();
    const left = [...steps.flatMap(({ todo }) => todo), ...(exitCode === 0 ? this.#left(facts) : [])];
    if (exitCode !== 0) left.push('Then run the same command again: it goes on where it ended.');
    const { home, configFile: config, unitFile: unit } = this.#installation.places;
    const { agentId, terminals } = this.#installation.record;
    if (this.#options.json)
      output.out(JSON.stringify({ agentId, home, config, unit, terminals, steps, left }, undefined, 2));
    else if (!this.#options.dryRun && left.length > 0)
      output.out(['\nleft to do:', ...left.map((line) => `  ${line}`)].join('\n'));
    return exitCode;
  }

  /** The user of the service may not read the folder of an archive: the program in the slot does all else. */
  #handOver(): Promise<number> {
    const { program, places } = this.#installation;
    return this.#deps.handOver(onDisk(places, program.words[0] ?? ''));
  }

  get #mode(): 'test' | 'live' {
    const { mode } = this.#installation.record;
    const recorded = mode === 'live' || mode === 'test' ? mode : undefined;
    return this.#options.mode ?? recorded ?? (this.#code?.isLive ? 'live' : 'test');
  }

  async #facts(): Promise<InstallFacts> {
    const code = this.#code;
    const hasAddress = (this.#options.bridgeUrl ?? code?.bridgeUrl) !== undefined;
    const isNewAgent = code?.purpose === EnrolmentPurpose.NEW_AGENT;
    const machine = await this.#installation.machineFacts();
    const configured = this.#configured(machine.isConfigChanged);
    return {
      ...machine,
      ...(code && { code: { isNewAgent, hasAddress } }),
      ...(configured !== undefined && { configured }),
      mode: this.#mode,
    };
  }

  /** How many terminals are configured. One that install wrote and that is not whole yet is written again. */
  #configured(isChanged: boolean): number | undefined {
    if (!existsSync(this.#installation.path('configFile'))) return undefined;
    try {
      return this.#config().terminals.length;
    } catch (error) {
      if (isChanged || !(error instanceof ConfigError)) throw error;
      return 0;
    }
  }

  /** The configuration of the installation; before it is written, what enrolment needs of it. */
  #config(): AgentConfig {
    const file = this.#installation.path('configFile');
    const { bridgeUrl } = this.#options;
    return loadConfig(existsSync(file) ? file : undefined, {
      ...this.#deps.env,
      AGENT_HOME: this.#installation.path('home'),
      AGENT_MODE: this.#mode,
      ...(bridgeUrl !== undefined && { GATEWAY_BRIDGE_URL: bridgeUrl }),
    });
  }

  #work(): Readonly<Record<InstallStepId, () => Promise<StepResult>>> {
    const installation = this.#installation;
    const asService = (work: () => Promise<StepResult>) => () => installation.asService(work);
    return {
      program: () => this.#putIntoSlot(),
      machine: asService(() => this.#checkMachine()),
      user: () => makeUser(installation),
      home: () => makeHome(installation),
      udev: () => writeUdevRules(installation),
      enrol: () => this.#enrol(),
      terminals: () => this.#configure(),
      unit: () => writeUnit(installation),
      doctor: asService(() => this.#examine()),
      'trial-sale': asService(() => this.#sell()),
      start: () => startService(installation),
    };
  }

  async #putIntoSlot(): Promise<StepResult> {
    const installation = this.#installation;
    const { program, places } = installation;
    if (program.kind !== 'archive') throw new InstallError('the program is in no archive');
    await putIntoSlot(program, places);
    installation.noteMade('program');
    return { text: `version ${slotVersion(program.slots)} is in ${places.programFolder}` };
  }

  async #checkMachine(): Promise<StepResult> {
    const config = this.#config();
    const address = this.#options.bridgeUrl ?? this.#code?.bridgeUrl;
    const isNew = (await this.#isEnrolled()) === undefined;
    if (isNew && address !== undefined)
      await checkCertificate(address, NO_PINS, 'before enrolment', systemClock);
    const findings = await machineFindings(config, systemClock);
    const reached = isNew && address !== undefined ? [`the gateway at ${address} answers`] : [];
    const text = [...findings.map((finding) => finding.text), ...reached].join('; ');
    const bad = findings.filter(({ verdict }) => verdict === 'problem');
    if (bad.length === 0) return { text };
    return { text, isBad: true, todo: bad.flatMap(({ todo = [] }) => todo) };
  }

  async #isEnrolled(): Promise<string | undefined> {
    return existsSync(this.#installation.path('home')) ? this.#installation.agentId() : undefined;
  }

  async #enrol(): Promise<StepResult> {
    const installation = this.#installation;
    const config = this.#config();
    const home = installation.path('home');
    const enrolled = await installation.asService(async () => {
      const lock = await lockAgentHome(home);
      try {
        return await this.#deps.redeem(config, this.#codeText ?? '');
      } finally {
        await lock.release();
      }
    });
    const { agentId, entityId, terminals } = enrolled;
    // Before the identity is whole: an installation that goes on from here enrols again, with the same answer.
    installation.note((record) => ({ ...record, agentId, terminals: [...terminals], mode: this.#mode }));
    await installation.asService(async () => {
      this.#deps.complete(home, enrolled);
      noteCommand(config, 'enrol', { agentId, entityId });
    });
    return { text: `agent ${agentId} of entity ${entityId}, terminals ${terminals.join(', ')}` };
  }

  /** Finds the terminals and writes the configuration; it is checked as the agent reads it. */
  async #configure(): Promise<StepResult> {
    const installation = this.#installation;
    const { output } = this.#deps;
    const { merchant } = this.#config();
    const { ports } = await discoverPorts();
    const candidates = terminalCandidates((this.#options.port ?? []).map(readGivenPort), ports);
    const answered = await installation.asService(() =>
      probePorts(candidates, merchant, (text) => output.note(`  ${text}`)),
    );
    const { terminals, idsLeft, portsLeft } = assignIds(answered, installation.record.terminals);
    const silent = candidates.filter(({ path }) => answered.every((port) => port.path !== path));
    const { capkFile } = this.#options;
    const content = configFile({
      scope: installation.places.scope,
      home: installation.places.home,
      mode: this.#mode,
      ...(capkFile !== undefined && { capkFile: resolve(capkFile) }),
      terminals: terminals.map(({ id, deviceType, transport, path }) => ({
        id,
        deviceType,
        transport,
        path,
      })),
    });
    writeOpenFile(installation.path('configFile'), content);
    installation.note((record) => ({ ...record, configDigest: digestOf(content) }));
    installation.noteMade('config');
    this.#config();
    const found = terminals.map(
      ({ id, deviceType, path, device }) => `${id} is a ${deviceType} on ${path} (${device})`,
    );
    return {
      text: found.length > 0 ? found.join('; ') : 'no terminal was found',
      ...(terminals.length === 0 && { isBad: true }),
      todo: [
        ...silent.map(
          ({ path }) => `No terminal answers on ${path}: switch it on, and set its line as its maker states.`,
        ),
        ...idsLeft.map(
          (id) =>
            `Terminal ${id} was not found: plug it in, and run install again with --port ${id}=/dev/ttyACM0, its port.`,
        ),
        ...portsLeft.map(({ path }) => `${path} has a terminal more than the code has ids for.`),
      ],
    };
  }

  async #examine(): Promise<StepResult> {
    const findings = await this.#deps.examine(this.#config());
    const bad = findings.filter(({ verdict }) => verdict !== 'ok');
    const isBad = bad.some(({ verdict }) => verdict === 'problem');
    return {
      text: `${findings.length} findings, ${bad.length} to look after`,
      ...(isBad && { isBad }),
      todo: bad.flatMap(({ text, todo = [] }) => [text, ...todo.map((line) => `  ${line}`)]),
    };
  }

  async #sell(): Promise<StepResult> {
    if (await this.#installation.isRunning()) return { text: 'left out: the agent runs already' };
    return sellOnTrial(this.#config(), this.#deps.connect, (text) => this.#deps.output.note(`  ${text}`));
  }

  /** What only a person can do. */
  #left({ scope, hasManager, mode, udev }: InstallFacts): string[] {
    const { program, places } = this.#installation;
    return [
      ...(hasManager || this.#options.dryRun
        ? []
        : [`Start the agent: ${[...program.words, 'run', '--config', places.configFile].join(' ')}`]),
      ...(scope === 'user' && hasManager && !existsSync(`/var/lib/systemd/linger/${userName()}`)
        ? ['Have it run while you are not logged in: loginctl enable-linger']
        : []),
      ...(udev === 'not-allowed'
        ? ['Have root let you use the terminals: tillbridge-agent doctor --udev shows the rules']
        : []),
      `Give the tills their token: ${places.home}/till-token, or one each: tillbridge-agent token create TILL`,
      ...(mode === 'live' ? ['Sell once with a card on each terminal, and reverse it.'] : []),
    ];
  }
}
