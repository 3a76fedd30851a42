import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import { type Command, Option } from 'commander';
import { operatorName } from '../audit/operator-name.js';
import { type CommandLine, recordedCommand } from '../audit/recorded-command.js';
import type { HomeConfig } from '../configuration/home-config.js';
import { openHomeStore } from '../data-folder/open-store.js';
import type { Store } from '../store/store.js';

/** Options of every command; `Config`: what of the configuration it works with. */
export interface ConfigOption<Config extends HomeConfig = HomeConfig> {
  readonly config?: string;
  /** Reads the configuration that the options and the environment name; the program sets it. @throws ConfigError */
  readonly readConfig: () => Config;
  /** What was typed; the program sets it. */
  readonly commandLine?: CommandLine;
}

/** Adds a subcommand with the option `--config`. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .addOption(new Option('--config <file>', 'configuration in YAML'));
}

/** Options that change nothing of what a command does. */
const NOT_RECORDED: ReadonlySet<string> = new Set(['config', 'json', 'table']);

/** A command as it was typed. */
export function commandLineOf(command: Command): CommandLine {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  const given = command.options
    .map((option) => option.attributeName())
    .filter((name) => !NOT_RECORDED.has(name) && command.getOptionValueSource(name) === 'cli');
  const options = Object.fromEntries(given.map((name) => [name, command.getOptionValue(name)]));
  const [subject] = command.args;
  return { action: names.join(' '), options, ...(subject !== undefined && { subject }) };
}

/** Runs work on the database of a home and closes it; what it changes is on record as the configuration's command. @throws HomeModeError, StoreUnavailableError, SchemaTooNewError */
export async function withHomeStore<T>(config: HomeConfig, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openHomeStore(config);
  try {
    const { command } = config;
    const deps = { clock: systemClock, random: systemRandom };
    return await work(command ? recordedCommand(store, command, deps) : store);
  } finally {
    await store.close();
  }
}

/** What a command works with on the database of its home. */
export interface OperatorDeps extends Seams {
  readonly store: Store;
  /** The user of the operating system. */
  readonly actor: string;
}

/** Prints what work on the database of a home returns. @throws as {@link withHomeStore}, and what the work throws */
export async function printFrom(
  { readConfig }: ConfigOption,
  work: (deps: OperatorDeps) => Promise<unknown>,
): Promise<void> {
  const ofStore = (store: Store) => ({
    ...{ store, clock: systemClock, random: systemRandom },
    get actor() {
      return operatorName();
    },
  });
  printJson(await withHomeStore(readConfig(), (store) => work(ofStore(store))));
}
