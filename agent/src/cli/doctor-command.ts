import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { HomeInUseError, type HomeLock } from '@tillbridge/platform/home-lock.js';
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
import { DeviceRegistry } from '../drivers/device-registry.js';
import { openTerminal } from '../drivers/open-terminal.js';
import { HOME_FILES, lockAgentHome, TILL_TOKEN_FILE } from '../home/home-files.js';
import { type Discovery, discoverPorts, type FoundPort } from '../ports/discovery.js';
import type { ConditionAnswer } from '../till/status-routes.js';
import { findAgent } from './agent-address.js';
import { AgentClient } from './agent-client.js';
import { EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';
import { PLAIN, type Style } from './style.js';

/** Options of `tillbridge-agent doctor`. */
export interface DoctorOptions {
  readonly json?: boolean;
}

interface Report {
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

/** Finds ports, checks every configured terminal, and prints what to do. @returns the exit code */
export async function runDoctor(
  config: AgentConfig,
  options: DoctorOptions,
  parts: { readonly env: NodeJS.ProcessEnv; readonly output: Output },
): Promise<number> {
  const lock = await takeHome(config.home);
  try {
    return await report(config, options, parts.output, lock ? undefined : agentOf(config, parts.env));
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
async function report(
  config: AgentConfig,
  options: DoctorOptions,
  output: Output,
  agent: AgentClient | undefined,
): Promise<number> {
  const discovery = await discoverPorts();
  const parts = {
    ...partsFor(config, discovery),
    ...(!options.json && { note: (text: string) => output.out(`  ${text}`) }),
  };
  const examine = agent
    ? async (terminal: TerminalConfig) =>
        reportedFindings(terminal, await conditionOf(agent, terminal.id), parts)
    : (terminal: TerminalConfig) => examineTerminal(terminal, parts);
  const reports: Report[] = [];
  if (!options.json) for (const line of discoveryLines(discovery, config.terminals)) output.out(line);
  const policy = policyFinding(config.home);
  if (!options.json && policy)
    for (const line of ['', ...findingLines([policy], output.style)]) output.out(line);
  for (const terminal of config.terminals) {
    const { id: terminalId, deviceType } = terminal;
    if (!options.json)
      output.out(`\nterminal ${terminalId} (${deviceType}, ${terminal.transport} ${terminal.path})`);
    const report = { terminalId, deviceType, findings: await examine(terminal) };
    reports.push(report);
    if (!options.json) for (const line of findingLines(report.findings, output.style)) output.out(line);
  }
  if (options.json)
    output.out(JSON.stringify({ ...discovery, ...(policy && { policy }), terminals: reports }, undefined, 2));
  else if (config.terminals.length === 0)
    output.out('\nno terminal is configured: add one to "terminals" of the configuration');
  const sick = reports.some(({ findings }) => findings.some(({ verdict }) => verdict === 'problem'));
  return sick ? EXIT.declined : EXIT.ok;
}

/** Locks the home, so that no agent starts meanwhile; undefined where one runs. A missing home needs no lock. */
async function takeHome(home: string): Promise<HomeLock | undefined> {
  if (!existsSync(home)) return NO_LOCK;
  try {
    return await lockAgentHome(home);
  } catch (error) {
    if (error instanceof HomeInUseError) return undefined;
    throw error;
  }
}

const NO_LOCK: HomeLock = { release: async () => undefined };

/** The running agent. Where its configured port is 0, `AGENT_URL` or `dev.json` has the address. */
function agentOf(
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
    user: userInfo().username,
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
