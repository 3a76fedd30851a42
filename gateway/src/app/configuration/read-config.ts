import { present } from '@tillbridge/wire/present.js';
import type { ConfigOption } from '../../kernel/commands/command.js';
import { type GatewayConfig, loadConfig } from './config.js';

/** The configuration that the options and the environment name. @throws ConfigError */
export function configOf({
  config,
  commandLine: command,
}: Pick<ConfigOption, 'config' | 'commandLine'>): GatewayConfig {
  return { ...loadConfig(config, process.env), ...present({ command }) };
}
