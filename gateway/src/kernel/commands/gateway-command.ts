import { type Command, Option } from 'commander';
import type { HomeConfig } from '../configuration/home-config.js';
import { openHomeStore } from '../data-folder/open-store.js';
import type { Store } from '../store/store.js';

/** Options of every command; `Config`: what of the configuration it works with. */
export interface ConfigOption<Config extends HomeConfig = HomeConfig> {
  readonly config?: string;
  /** Reads the configuration that the options and the environment name; the program sets it. @throws ConfigError */
  readonly readConfig: () => Config;
}

/** Adds a subcommand with the option `--config`. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .addOption(new Option('--config <file>', 'configuration in YAML'));
}

/** The configuration of a command. @throws ConfigError */
export function homeConfigOf<Config extends HomeConfig>({ readConfig }: ConfigOption<Config>): Config {
  return readConfig();
}

/** Runs work on the database of a home and closes it. @throws HomeModeError, StoreUnavailableError, SchemaTooNewError */
export async function withHomeStore<T>(config: HomeConfig, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openHomeStore(config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Prints a value as JSON for people and programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
