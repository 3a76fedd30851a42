import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { type Command, Option } from 'commander';
import {
  STAND_IN_STATES,
  type StandInState,
  standInKeys,
  standInView,
} from '../../../core/acquirers/iso8583/stand-in/list-stand-ins.js';
import { listEntities, requireEntity } from '../../../core/entities/entities.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../../kernel/commands/command.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { findAll } from '../../../kernel/store/all-rows.js';
import { configOf } from '../../configuration/read-config.js';

interface StandInOptions extends ConfigOption {
  readonly state?: StandInState;
  readonly limit: string;
}

/** Stand-ins that are printed by default, and at most. */
const LIST = { usual: 100, most: 10_000 } as const;

const HELP = `
The newest first. "advice" is the state of each: "waiting" for a host, "accepted" or "declined" by it, or "reversed".
The page “Links to acquirers” states what is approved, and what to do with those that a host has declined.`;

/** `acquirer stand-ins`. */
export function addStandInCommand(acquirer: Command): void {
  addCommand(
    acquirer,
    'stand-ins [entity]',
    'List what was approved while no host could be reached: of a merchant with its channels, a channel, or all.',
  )
    .addOption(new Option('--state <state>', 'those alone whose advice is so').choices(STAND_IN_STATES))
    .option('--limit <n>', `how many, at most ${LIST.most}`, String(LIST.usual))
    .addHelpText('after', HELP)
    .action(standIns);
}

async function standIns(
  entityId: string | undefined,
  { state, limit: wanted, ...options }: StandInOptions,
): Promise<void> {
  const limit = Number(wanted);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST.most)
    throw new OperatorError(`--limit: "${wanted}" must be a whole number from 1 to ${LIST.most}`);
  const rows = await withHomeStore(configOf(options), async (store) => {
    if (entityId !== undefined) await requireEntity(store, entityId);
    const owners = (await listEntities(store))
      .filter(({ id, parentId }) => entityId === undefined || id === entityId || parentId === entityId)
      .map(({ id }) => id);
    const found = standInKeys(owners, state && [state]).map((key) =>
      findAll(store, 'linkExchanges', 'entity', key),
    );
    return (await Promise.all(found)).flat();
  });
  rows.sort((a, b) => b.createdAtMs - a.createdAtMs);
  printJson(rows.slice(0, limit).map(standInView));
}
