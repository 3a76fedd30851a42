import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { TerminalIdentity } from '../drivers/core/driver.js';
import type { Difference, Walked } from './compare.js';
import type { Observation } from './observation.js';
import type { MissingStep } from './walk.js';

/** What a walk found. */
export interface BringUpReport {
  readonly terminalId: string;
  readonly deviceType: DeviceType;
  readonly transport: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Undefined where the device never answered. */
  readonly identity: TerminalIdentity | undefined;
  readonly missing: readonly MissingStep[];
  readonly differences: readonly Difference[];
  readonly walked: readonly Walked[];
}

/** The steps that were not walked, each with its reason. */
export function missingText(missing: readonly MissingStep[]): string {
  return missing.map(({ step, why }) => `${step} (${why})`).join(', ');
}

/** The report for people. */
export function asMarkdown(report: BringUpReport): string {
  const { terminalId, deviceType, transport, startedAt, identity, missing, differences, walked } = report;
  const device = identity
    ? `${identity.maker} ${identity.model}, firmware ${identity.firmware}, serial ${identity.serial}`
    : 'it never answered';
  return [
    `# Bring-up of terminal ${terminalId}`,
    '',
    `- model: ${deviceType} by ${transport}`,
    `- device: ${device}`,
    `- begun: ${startedAt}`,
    `- missing steps: ${missingText(missing) || 'none'}`,
    '',
    `## Differences: ${differences.length}`,
    '',
    ...table(
      ['step', 'what', 'simulated device', 'this device'],
      differences.map(({ step, what, expected, found }) => [step, what, expected, found]),
    ),
    ...walked.flatMap(({ step, seen }) => ['', `## Step ${step}: ${seen.outcome}`, '', ...details(seen)]),
    '',
  ].join('\n');
}

function details({ messages, outcome: _, ...seen }: Observation): readonly string[] {
  const facts = Object.entries(seen).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    return `- ${name}: ${text || 'none'}`;
  });
  return [...facts, '- messages:', ...messages.map((form) => `  - \`${form}\``)];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return ['None.'];
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)];
}
