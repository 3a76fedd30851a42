import { hostname } from 'node:os';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { Command } from 'commander';
import { addCommand, type ConfigOption } from '../../kernel/commands/command.js';
import type { AuditRow } from '../../kernel/store/rows.js';
import type { KeyInfo } from '../../security/keys/key-store.js';
import { configOf } from '../configuration/read-config.js';
import { goLiveFacts } from './go-live/go-live-facts.js';

/** How many people sign for a key that came in components. */
const CUSTODIANS = 2;

/** `keys protocol`. */
export function addKeyProtocol(keys: Command): void {
  addCommand(
    keys,
    'protocol',
    'Print the protocol of a key ceremony: each key with its check value and how it came, to be signed. It has no key.',
  ).action(async (options: ConfigOption) => {
    const config = configOf(options);
    const facts = goLiveFacts(config, process.env);
    const about = { home: config.home, mode: config.transport.mode, machine: hostname() };
    process.stdout.write(keyProtocol(about, facts.keys(), await facts.audit(), systemClock.nowMs()));
  });
}

/** The protocol as text. Pure. */
export function keyProtocol(
  { home, mode, machine }: { readonly home: string; readonly mode: string; readonly machine: string },
  keys: readonly KeyInfo[],
  audit: readonly AuditRow[],
  nowMs: number,
): string {
  const blocks = keys.flatMap(({ id, usage, scope, algorithm, kcv, label }) => [
    '',
    `key          ${id}${label === '' ? '' : ` (${label})`}`,
    `usage        ${usage}, scope ${scope === '' ? '-' : scope}, ${algorithm}`,
    `check value  ${kcv}`,
    ...audit.filter((row) => isAbout(row, id)).map(cameText),
    ...Array.from(
      { length: CUSTODIANS },
      (_, at) => `custodian ${at + 1}  ${'_'.repeat(24)}  signature ${'_'.repeat(24)}`,
    ),
  ]);
  return [
    'Protocol of a key ceremony',
    `printed      ${new Date(nowMs).toISOString()}`,
    `gateway      ${machine}, ${home}, mode ${mode}`,
    `keys         ${keys.length}`,
    ...blocks,
    '',
    'Each custodian compared the check value of the own component and that of the key.',
    '',
  ].join('\n');
}

function isAbout({ action, subject, outcome }: AuditRow, id: string): boolean {
  return action.startsWith('keys ') && subject === id && outcome === 'done';
}

function cameText({ action, actor, createdAtMs }: AuditRow): string {
  return `came         by ${action}, ${new Date(createdAtMs).toISOString()}, user ${actor}`;
}
