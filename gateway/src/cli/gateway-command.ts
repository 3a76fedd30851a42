import { type Command, Option } from 'commander';
import { type GatewayConfig, loadConfig } from '../config/config.js';
import { openHomeStore } from '../home/open-store.js';
import type { Store } from '../store/store.js';

/** Options of every command. */
export interface ConfigOption {
  readonly config?: string;
}

/** Adds a subcommand with the option `--config`. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return parent
    .command(usage)
    .description(description)
    .addOption(new Option('--config <file>', 'configuration in YAML'));
}

/** The configuration that the options and the environment name. @throws ConfigError */
export function configOf({ config }: ConfigOption): GatewayConfig {
  return loadConfig(config, process.env);
}

/** Runs work on the database of a home and closes it. @throws HomeModeError, StoreUnavailableError, SchemaTooNewError */
export async function withHomeStore<T>(
  config: GatewayConfig,
  work: (store: Store) => Promise<T>,
): Promise<T> {
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
