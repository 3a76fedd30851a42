import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { UNIX_PREFIX } from '@tillbridge/wire/seams/report-pipe.js';
import type { TerminalConfig } from '../config/terminals.js';
import type { OpenTerminal } from '../drivers/open-terminal.js';
import type { Discovery, FoundPort } from '../ports/discovery.js';
import { type HidName, readHidName } from '../ports/hid-pipe.js';
import type { LineSettings } from '../ports/line-probe.js';
import type { ConditionAnswer } from '../till/status-routes.js';
import { conditionFindings, identityFinding } from './condition-findings.js';
import { type Finding, ok, problem, warning } from './finding.js';
import { type DeviceFile, deviceFileFinding, installHidRule, windowsPortFinding } from './port-advice.js';

/** How long a terminal may take to answer for the first time. */
const ANSWER_TIMEOUT_MS = 20_000;
/** The same while the settings of its line are found out: every one takes some seconds. */
const FINDING_TIMEOUT_MS = 120_000;

/** After this time a port that is still not open is reported without more waiting: it is held, forbidden or refused. */
export const PORT_TIMEOUT_MS = 3_000;
/** A port may be between two tries when it is looked at. */
const LOOK_MS = 250;

/** What an examination needs. */
export interface ExaminationDeps {
  readonly clock: Clock;
  readonly user: string;
  readonly platform: NodeJS.Platform;
  readonly discovery: Discovery;
  readonly lookAt: (path: string) => DeviceFile;
  readonly open: (terminal: TerminalConfig) => Promise<OpenTerminal>;
  /** What takes long, for the person who waits. */
  readonly note?: (text: string) => void;
}

/** What was found behind a port. */
interface Examined {
  readonly findings: readonly Finding[];
  /** The port is open, and nothing answers. */
  readonly isSilent: boolean;
  readonly foundLine?: LineSettings | undefined;
}

/** Looks at one terminal, from its plug to its keys; stops where the rest cannot be known. */
export async function examineTerminal(
  terminal: TerminalConfig,
  deps: ExaminationDeps,
): Promise<readonly Finding[]> {
  const port = portFinding(terminal, deps);
  if (port?.verdict === 'problem') return [port];
  const before = port ? [port] : [];
  const examined = await examineBehind(terminal, deps);
  if (!examined.isSilent || terminal.findsLine || terminal.transport !== 'serial')
    return [...before, ...examined.findings];
  const { findings, foundLine } = await examineBehind({ ...terminal, findsLine: true }, deps);
  if (!foundLine) return [...before, ...findings];
  return [...before, otherLine(terminal.line, foundLine), ...findings];
}

/** Opens the port, and looks at what answers. */
async function examineBehind(terminal: TerminalConfig, deps: ExaminationDeps): Promise<Examined> {
  const { findsLine } = terminal;
  if (findsLine) deps.note?.('trying the settings of its line, for up to two minutes ...');
  const open = await deps.open(terminal);
  try {
    const silent = await waitForAnswer(open, deps.clock, findsLine ? FINDING_TIMEOUT_MS : ANSWER_TIMEOUT_MS);
    if (silent)
      return { findings: [silentFinding(silent, terminal)], isSilent: open.lineProblem() === undefined };
    const { driver } = open;
    const foundLine = open.foundLine();
    const identity = [
      ...(driver.identity ? [identityFinding(driver.identity)] : []),
      ...(foundLine ? [ok(`its line was found at ${lineText(foundLine)}`)] : []),
    ];
    const condition = await driver.status();
    const state =
      condition.kind === 'failed'
        ? [problem(condition.detail)]
        : conditionFindings(condition, deps.clock.nowMs());
    return { findings: [...identity, ...state], isSilent: false, foundLine };
  } finally {
    await open.driver.close();
  }
}

function lineText({ baudRate, parity }: LineSettings): string {
  return `${baudRate} baud, parity ${parity}`;
}

function otherLine(configured: LineSettings, found: LineSettings): Finding {
  return problem(
    `its line is set to ${lineText(found)}, and the configuration has ${lineText(configured)}`,
    `Set baudRate: ${found.baudRate} and parity: ${found.parity} in the configuration of this terminal.`,
  );
}

/**
 * What a terminal is found to be by the running agent, which has its port. `answer` undefined: that agent does not know the
 * terminal.
 */
export function reportedFindings(
  terminal: TerminalConfig,
  answer: ConditionAnswer | undefined,
  deps: Omit<ExaminationDeps, 'open'>,
): readonly Finding[] {
  if (!answer)
    return [
      problem(
        'the running agent does not know this terminal',
        'Restart the agent: its configuration is older.',
      ),
    ];
  const { condition, runningReference, reason } = answer;
  if (condition.kind === 'condition') {
    return [identityFinding(condition.identity), ...conditionFindings(condition, deps.clock.nowMs())];
  }
  if (runningReference !== undefined)
    return [warning(`sale ${runningReference} runs on it`, 'Ask again when the sale has ended.')];
  const port = portFinding(terminal, deps);
  return [port?.verdict === 'problem' ? port : silentFinding(reason ?? condition.detail, terminal)];
}

function portFinding(
  { transport, path }: TerminalConfig,
  deps: Omit<ExaminationDeps, 'open'>,
): Finding | undefined {
  if (transport === 'tcp') return undefined;
  if (transport === 'hid') {
    const name = readHidName(path);
    if (name) return hidFinding(path, name, deps);
    path = path.replace(UNIX_PREFIX, '');
    // Another system's name for a HID device is no file.
    if (!path.startsWith('/')) return undefined;
  }
  return (
    windowsPortFinding(path, deps.discovery) ??
    deviceFileFinding(deps.lookAt(path), deps.user, deps.discovery.ports)
  );
}

function hidFinding(
  path: string,
  name: HidName,
  { discovery: { ports, problems }, platform }: Pick<ExaminationDeps, 'discovery' | 'platform'>,
): Finding {
  const hid = ports.filter(({ transport }) => transport === 'hid');
  const named = hid.find((found) => isNamed(found, name));
  if (named?.usedAs !== undefined)
    return problem(
      `HID device ${path} is plugged in as ${named.usedAs}, which the agent never opens`,
      "Set the reader to the mode of its maker's protocol (often called USB-HID, not keyboard).",
    );
  if (named) return ok(`HID device ${path} is plugged in`);
  const plugged =
    hid.length > 0 ? `plugged in are ${hid.map((found) => found.path).join(', ')}` : 'none is plugged in';
  return problem(
    `HID device ${path} was not found; ${plugged}`,
    ...problems,
    ...(platform === 'linux'
      ? ['Plug the terminal in. If it is, let the agent use it:', ...installHidRule(name.vendorId)]
      : ['Plug the terminal in, or set the path of its configuration.']),
  );
}

function isNamed(found: FoundPort, { vendorId, productId, serial }: HidName): boolean {
  const sameKind = found.vendorId === vendorId && found.productId === productId;
  return sameKind && (serial === undefined || found.serial === serial);
}

/** Resolves with undefined when the terminal answers in time, else with what stands in the way. */
export function waitForAnswer(
  { driver, lineProblem }: OpenTerminal,
  clock: Clock,
  timeoutMs: number,
): Promise<string | undefined> {
  if (driver.state === 'ready') return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const end = (silent: string | undefined) => {
      timer.cancel();
      look.cancel();
      stop();
      resolve(silent);
    };
    const timer = clock.setTimer(timeoutMs, () =>
      end(lineProblem() ?? 'the port is open, and nothing that answers is behind it'),
    );
    const lookAtLine = () => {
      const held = lineProblem();
      if (held !== undefined) end(held);
      else look = clock.setTimer(LOOK_MS, lookAtLine);
    };
    let look = clock.setTimer(PORT_TIMEOUT_MS, lookAtLine);
    const stop = driver.onState((state) => {
      if (state === 'ready') end(undefined);
    });
  });
}

function silentFinding(reason: string, { deviceType, transport, line, findsLine }: TerminalConfig): Finding {
  const question = findsLine
    ? 'No setting of its line was answered.'
    : `Is its line set to ${lineText(line)}? With "baudRate: auto" the agent finds out.`;
  const speed = transport === 'serial' ? [question] : [];
  return problem(reason, `Is it a ${deviceType}, switched on, and not used by another program?`, ...speed);
}
