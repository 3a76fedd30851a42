import { certificateFault, connectionFault } from '../uplink/connection-fault.js';
import type { GatewayAnswer } from '../uplink/gateway-answer.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** The oldest Node.js that runs the agent, as `engines` of its package has it. */
export const OLDEST_NODE = '20.19';

/** Limits of what the machine of an agent has. */
export const MACHINE_LIMITS = {
  /** With less on the disk of the home sales soon cannot be journaled. */
  fewFreeBytes: 512 * 1024 * 1024,
  /** With less nothing is sold with confidence: a journal, a log and a copy of it no longer fit. */
  leastFreeBytes: 64 * 1024 * 1024,
  /** This machine's clock may differ from the gateway's by this much. */
  clockToleranceMs: 2 * 60_000,
  /** A certificate that expires sooner gives a finding. */
  certificateDays: 21,
} as const;

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

/** Whether the version of Node.js runs the agent, such as `20.19.0`. */
export function nodeFinding(version: string): Finding {
  if (compareVersions(version, OLDEST_NODE) >= 0) return ok(`Node.js ${version}`);
  return problem(
    `Node.js ${version} is too old: ${OLDEST_NODE} or later is needed`,
    'Install a newer one, or the package of the agent, which has its own.',
  );
}

/** Room on the disk of the home. */
export function diskFinding(home: string, freeBytes: number): Finding {
  const free = `${Math.floor(freeBytes / MIB)} MiB are free on the disk of ${home}`;
  if (freeBytes >= MACHINE_LIMITS.fewFreeBytes) return ok(free);
  const verdict = freeBytes < MACHINE_LIMITS.leastFreeBytes ? problem : warning;
  return verdict(free, 'Make room: without it sales cannot be journaled and are refused.');
}

/** What an answer of the gateway shows: whether it is reached, its certificate, and this machine's clock against its own. */
export function gatewayFindings(bridgeUrl: string, answer: GatewayAnswer, nowMs: number): readonly Finding[] {
  if (answer.kind === 'unreachable') {
    const { text, remedy } = connectionFault(answer.detail, bridgeUrl) ?? {
      text: answer.detail,
      remedy: 'Check the network and the address.',
    };
    return [problem(`the gateway at ${bridgeUrl} is not reached: ${text}`, remedy)];
  }
  return [
    ok(`the gateway at ${bridgeUrl} answers`),
    ...certificateFindings(bridgeUrl, answer, nowMs),
    ...(answer.timeMs === undefined ? [] : [clockFinding(answer.timeMs, nowMs)]),
  ];
}

function certificateFindings(
  bridgeUrl: string,
  { certificate, certificateFault: fault }: GatewayAnswer & { readonly kind: 'answered' },
  nowMs: number,
): readonly Finding[] {
  if (fault !== undefined) {
    const { text, remedy } = certificateFault(fault, certificate, bridgeUrl, nowMs);
    return [problem(text, remedy)];
  }
  if (certificate === undefined) return [];
  const days = Math.floor((certificate.validToMs - nowMs) / DAY_MS);
  const text = `its certificate of ${certificate.issuer} is accepted, for ${days} more days`;
  if (days >= MACHINE_LIMITS.certificateDays) return [ok(text)];
  return [warning(text, 'Have it renewed: the agent does not connect after that.')];
}

function clockFinding(gatewayMs: number, nowMs: number): Finding {
  const offMs = nowMs - gatewayMs;
  if (Math.abs(offMs) <= MACHINE_LIMITS.clockToleranceMs)
    return ok("this machine's clock agrees with the gateway's");
  const seconds = Math.round(Math.abs(offMs) / 1_000);
  const off = seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
  return problem(
    `this machine's clock is ${off} ${offMs > 0 ? 'ahead of' : 'behind'} the gateway's`,
    'Set it, and have it kept: timedatectl set-ntp true',
  );
}

/** Below, at or above 0 as the first version is older than, the same as or newer than the second. */
function compareVersions(first: string, second: string): number {
  const [a, b] = [first, second].map((version) => version.split('.').map(Number));
  const at = [0, 1, 2].find((part) => (a?.[part] ?? 0) !== (b?.[part] ?? 0));
  return at === undefined ? 0 : (a?.[at] ?? 0) - (b?.[at] ?? 0);
}
