import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PLAIN, type Style } from '@tillbridge/platform/command-line/style.js';
import { HomeInUseError, type HomeLock, HomeUnusableError } from '@tillbridge/platform/home-lock.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { hostAndPort } from '@tillbridge/platform/net/listening.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { readToken } from '../access/token.js';
import type { AgentConfig } from '../config/config.js';
import type { TerminalConfig } from '../config/terminals.js';
import { lookAtDeviceFile } from '../doctor/device-file.js';
import { type ExaminationDeps, examineTerminal, reportedFindings } from '../doctor/examine.js';
import type { Finding } from '../doctor/finding.js';
import { policyFinding } from '../doctor/policy-finding.js';
import { freePortName, installRule, serialRule, udevFile } from '../doctor/port-advice.js';
import { machineFindings } from '../doctor/read-machine.js';
import { userName } from '../doctor/user-name.js';
import { DeviceRegistry } from '../drivers/device-registry.js';
import { openTerminal } from '../drivers/open-terminal.js';
import { HOME_FILES, lockAgentHome, TILL_TOKEN_FILE } from '../home/home-files.js';
import { type Discovery, discoverPorts, type FoundPort } from '../ports/discovery.js';
import type { ConditionAnswer } from '../till/status-routes.js';
import { findAgent } from './agent-address.js';
import { AgentClient } from './agent-client.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `tillbridge-agent doctor`. */
export interface DoctorOptions {
  readonly json?: boolean;
}

interface TerminalReport {
  readonly terminalId: string;
  readonly deviceType: string;
  readonly findings: readonly Finding[];
}

const SIGNS: Readonly<Record<Finding['verdict'], string>> = {
  ok: 'ok',
  warning: 'WARNING',
  problem: 'PROBLEM',
};

const SIGN_WIDTH = Math.max(...Object.values(SIGNS).map(({ length }) => length));

/** What the doctor found. */
export interface DoctorReport extends Discovery {
  /** Node.js, disk, gateway, certificate and clock. */
  readonly machine: readonly Finding[];
  /** Absent of a home that is not enrolled. */
  readonly policy?: Finding;
  readonly terminals: readonly TerminalReport[];
}

/** Checks machine and gateway, finds ports, checks every configured terminal, and prints what to do. @returns the exit code */
export async function runDoctor(
  config: AgentConfig,
  { json }: DoctorOptions,
  { env, output }: { readonly env: NodeJS.ProcessEnv; readonly output: Output },
): Promise<number> {
  const print = json ? () => undefined : (line: string) => output.out(line);
  const report = await examineHome(config, env, print, output.style);
  if (json) output.out(JSON.stringify(report, undefined, 2));
  return findingsOf(report).some(({ verdict }) => verdict === 'problem') ? EXIT.declined : EXIT.ok;
}

/** Everything that was found, in the order of the report. */
function findingsOf({ machine, policy, terminals }: DoctorReport): readonly Finding[] {
  return [...machine, ...(policy ? [policy] : []), ...terminals.flatMap(({ findings }) => findings)];
}

/**
 * Checks a home, through its agent where one runs.
 * @param print takes each line for a person as it comes
 */
export async function examineHome(
  config: AgentConfig,
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
  style?: Style,
): Promise<DoctorReport> {
  const lock = await takeHome(config.home);
  try {
    return await examine(config, lock ? undefined : agentOf(config, env), print, style);
  } finally {
    await lock?.release();
  }
}

/** Prints the rules of udev for terminals of all makers. @returns the exit code */
export function printUdevFile(output: Output): number {
  output.out(udevFile());
  return EXIT.ok;
}

/** @param agent the agent that runs on this home, and has the ports */
async function examine(
  config: AgentConfig,
  agent: AgentClient | undefined,
  print: (line: string) => void,
  style?: Style,
): Promise<DoctorReport> {
  const [discovery, machine] = await Promise.all([discoverPorts(), machineFindings(config, systemClock)]);
  const printFindings = (findings: readonly Finding[]) => findingLines(findings, style).forEach(print);
  print('machine and gateway');
  printFindings(machine);
  print('');
  discoveryLines(discovery, config.terminals).forEach(print);
  const policy = policyFinding(config.home);
  if (policy) {
    print('');
    printFindings([policy]);
  }
  const parts = partsFor(config, discovery);
  // All at once: each silent one takes its time.
  const examined = config.terminals.map((terminal) =>
    agent
      ? conditionOf(agent, terminal.id).then((condition) => reportedFindings(terminal, condition, parts))
      : examineTerminal(terminal, { ...parts, note: (text) => print(`  terminal ${terminal.id}: ${text}`) }),
  );
  // A fault is thrown where its terminal is printed.
  for (const each of examined) each.catch(() => undefined);
  const terminals: TerminalReport[] = [];
  for (const [at, { id: terminalId, deviceType, transport, path }] of config.terminals.entries()) {
    print(`\nterminal ${terminalId} (${deviceType}, ${transport} ${path})`);
    const findings = (await examined[at]) ?? [];
    terminals.push({ terminalId, deviceType, findings });
    printFindings(findings);
  }
  if (terminals.length === 0)
    print('\nno terminal is configured: add one to "terminals" of the configuration');
  return { ...discovery, machine, ...(policy && { policy }), terminals };
}

/** Locks the home, so that no agent starts meanwhile; undefined where one runs. A missing home needs no lock. */
async function takeHome(home: string): Promise<HomeLock | undefined> {
  if (!existsSync(home)) return NO_LOCK;
  try {
    return await lockAgentHome(home);
  } catch (error) {
    if (error instanceof HomeInUseError) return undefined;
    if (error instanceof HomeUnusableError && isOfAnotherUser(home))
      throw new CommandError(
        EXIT.usage,
        `home ${home} belongs to another user: run the command as that user, with sudo -u USER -- in front`,
      );
    throw error;
  }
}

function isOfAnotherUser(home: string): boolean {
  return statSync(home, { throwIfNoEntry: false })?.uid !== process.getuid?.();
}

const NO_LOCK: HomeLock = { release: async () => undefined };

/** The running agent. Where its configured port is 0, `AGENT_URL` or `dev.json` has the address. */
export function agentOf(
  { home, host, hostNames, port, tls, tokenFile }: AgentConfig,
  env: NodeJS.ProcessEnv,
): AgentClient {
  // A certificate is for a name rather than an address.
  const [certified] = tls ? hostNames : [];
  const place = hostAndPort(certified ?? ANY_ADDRESS[host] ?? host, port);
  const options = {
    ...(port !== 0 && { url: `${tls ? 'https' : 'http'}://${place}` }),
    token: readToken(tokenFile ?? join(home, TILL_TOKEN_FILE)),
  };
  return new AgentClient(findAgent(options, env));
}

/** Where an agent that listens on every address is reached from its own machine. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Undefined for a terminal that the agent does not know. */
async function conditionOf(agent: AgentClient, terminalId: string): Promise<ConditionAnswer | undefined> {
  const { terminals } = await agent.status();
  return terminals.some(({ id }) => id === terminalId) ? agent.condition(terminalId) : undefined;
}

function partsFor(config: AgentConfig, discovery: Discovery): ExaminationDeps {
  const log = createLog('tillbridge-agent', { level: 'silent', target: 'stderr' });
  const registry = new DeviceRegistry(join(config.home, HOME_FILES.devices));
  return {
    clock: systemClock,
    user: userName(),
    platform: process.platform,
    discovery,
    lookAt: lookAtDeviceFile,
    open: (terminal) =>
      openTerminal(terminal, config.merchant, {
        clock: systemClock,
        log,
        registry,
        ...(config.capks && { capks: config.capks }),
      }),
  };
}

function discoveryLines({ ports, problems }: Discovery, terminals: readonly TerminalConfig[]): string[] {
  const lines = ports.map((port) => foundLine(port, terminals));
  const free = ports.filter((port) => !configured(port, terminals));
  return [
    ports.length > 0 ? 'plugged in:' : 'no serial port and no HID device of a known maker is plugged in',
    ...lines,
    ...problems.map((text) => `  ${text}`),
    ...namingAdvice(free, terminals),
  ];
}

function configured({ path }: FoundPort, terminals: readonly TerminalConfig[]): TerminalConfig | undefined {
  return terminals.find((terminal) => terminal.path === path);
}

function foundLine(port: FoundPort, terminals: readonly TerminalConfig[]): string {
  const { transport, path, maker, model, serial } = port;
  const what = [maker, model, serial && `serial ${serial}`].filter(Boolean).join(', ');
  const terminal = configured(port, terminals);
  return `  ${transport} ${path}${what && `: ${what}`}${terminal ? ` (terminal ${terminal.id})` : ''}`;
}

/** Rules that give each new serial terminal its own name, which stays. */
function namingAdvice(free: readonly FoundPort[], terminals: readonly TerminalConfig[]): string[] {
  const used = terminals.map(({ path }) => path);
  return free.flatMap((port) => {
    const name = freePortName(used);
    const rule = port.transport === 'serial' ? serialRule(port, name) : undefined;
    if (!rule) return [];
    used.push(`/dev/${name}`);
    return [`  to give ${port.path} a name that stays:`, ...installRule(rule).map((line) => `    ${line}`)];
  });
}

function findingLines(findings: readonly Finding[], style: Style = PLAIN): string[] {
  return findings.flatMap(({ verdict, text, todo = [] }) => [
    `  ${style.state(SIGNS[verdict])}${' '.repeat(SIGN_WIDTH - SIGNS[verdict].length)} ${text}`,
    ...todo.map((line) => `            ${line}`),
  ]);
}
