import { userInfo } from 'node:os';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import { type Command, Option } from 'commander';
import { type GatewayConfig, loadConfig } from '../config/config.js';
import { openHomeStore } from '../home/open-store.js';
import { type OpenSecurityModule, openSecurityModule } from '../security/open-security-module.js';
import { securityFiles } from '../security/security-files.js';
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

/** Does work with the security module that is configured, and closes it. @throws as `openSecurityModule` */
export async function withSecurityModule<T>(
  { home, transport: { mode }, token }: GatewayConfig,
  work: (module: OpenSecurityModule) => Promise<T>,
): Promise<T> {
  const files = securityFiles(home);
  const module = openSecurityModule({ files, mode, random, ...(token && { token }) });
  try {
    return await work(module);
  } finally {
    module.close();
  }
}

/** Who runs the command: the user of the operating system. */
export function operatorName(): string {
  return userInfo().username;
}

/** Prints a value as JSON for people and programs. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
