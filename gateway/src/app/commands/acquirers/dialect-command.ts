import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { describeDialect } from '@tillbridge/wire/iso8583/describe/describe-dialect.js';
import type { Command } from 'commander';
import type { AcquirerConfig } from '../../../core/acquirers/configuration/acquirer-section.js';
import { addCommand, type ConfigOption } from '../../../kernel/commands/command.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { configOf } from '../../configuration/read-config.js';

/** `acquirer dialect show`. */
export function addDialectCommand(acquirer: Command): void {
  const dialect = acquirer.command('dialect').description('The dialect of ISO 8583 of an acquirer.');
  addCommand(
    dialect,
    'show <acquirer>',
    'Print how its messages are framed and written, and a table of all fields, as configured.',
  ).action((name: string, options: ConfigOption) => {
    const config = acquirerNamed(configOf(options).acquirers, name);
    const lines = describeDialect(configuredDialect(config.dialect, config.dialectChanges));
    const code = `authentication code: ${config.macKeySet === undefined ? config.macMethod : `DUKPT, key set ${config.macKeySet}`}`;
    const [title = '', ...more] = lines;
    process.stdout.write(`${[title, code, ...more].join('\n')}\n`);
  });
}

/** An acquirer of the configuration. @throws OperatorError there is none of the name */
export function acquirerNamed(acquirers: readonly AcquirerConfig[], name: string): AcquirerConfig {
  const found = acquirers.find((each) => each.name === name);
  if (found) return found;
  const names = acquirers.map((each) => each.name).join(', ') || 'none';
  throw new OperatorError(`the configuration has no acquirer ${name}; it has ${names}`);
}
