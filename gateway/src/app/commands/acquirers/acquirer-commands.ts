import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { present } from '@tillbridge/wire/present.js';
import { type Command, Option } from 'commander';
import { closeGap } from '../../../core/acquirers/iso8583/gap/link-gap.js';
import { acquirerRouting, setAcquirerRouting } from '../../../core/entities/acquirer-routing.js';
import {
  type AcquirerRoute,
  AcquirerRoutesError,
  readAcquirerRoutes,
} from '../../../core/payments/routing/acquirer-routes.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../../kernel/commands/command.js';
import { prepareHome } from '../../../kernel/data-folder/home.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { configOf } from '../../configuration/read-config.js';
import { addDialectCommand } from './dialect-command.js';
import { addStandInCommand } from './stand-in-command.js';
import { addTryCommand } from './try-command.js';

interface RoutingOptions extends ConfigOption {
  readonly routes?: string;
  readonly testMode?: 'INTERNAL' | 'EXTERNAL';
}

/** Largest file of routes, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

/** Example of a file of routes, for `--help`. */
const ROUTES_HELP = `
The first route that fits a payment names its acquirer; a list that a route leaves out fits every payment. A channel without routes has those of
its merchant. A file of routes:
  [{"acquirer": "EXTERNAL", "currencies": ["EUR"], "brands": ["VISA"], "bins": ["4200"], "methods": ["CC"], "cardPresent": ["yes"],
    "merchant": {"merchantId": "M1", "terminalId": "ECOM0001", "category": "5411", "name": "Corner shop", "city": "Berlin", "country": "DE"}}]
In mode test payments go there in test mode EXTERNAL alone. A request over REST names it (testMode=EXTERNAL); without testMode it is INTERNAL.
Terminals cannot name it: for their payments --test-mode counts.`;

/** `acquirer list | routing | close-gap | stand-ins | dialect show | try`. */
export function addAcquirerCommands(acquirer: Command): void {
  addCommand(acquirer, 'list', 'List the acquirers of the configuration.').action((options: ConfigOption) =>
    printJson(configOf(options).acquirers.map(({ name, hosts, dialect }) => ({ name, hosts, dialect }))),
  );
  addCommand(
    acquirer,
    'routing <entity>',
    'Print which acquirers take the payments of a merchant or channel, or set it.',
  )
    .option('--routes <file>', 'replace the routes by those of this JSON file')
    .addOption(
      new Option('--test-mode <mode>', 'the test mode of payments of terminals').choices([
        'INTERNAL',
        'EXTERNAL',
      ]),
    )
    .addHelpText('after', ROUTES_HELP)
    .action(routing);
  addCommand(
    acquirer,
    'close-gap <acquirer>',
    'Let go on what was held since the database was put back: what its host has carried out meanwhile is resolved.',
  )
    .requiredOption('--note <text>', 'what was compared')
    .action(async (name: string, { note, ...options }: ConfigOption & { note: string }) => {
      const closed = await withHomeStore(configOf(options), (store) =>
        closeGap({ store, clock, acquirer: name }, note),
      );
      printJson({ acquirer: name, closedAt: new Date(closed.closedAtMs ?? 0).toISOString(), note });
    });
  addStandInCommand(acquirer);
  addDialectCommand(acquirer);
  addTryCommand(acquirer);
}

async function routing(entity: string, options: RoutingOptions): Promise<void> {
  const config = configOf(options);
  prepareHome(config.home);
  const { testMode } = options;
  const routes = options.routes === undefined ? undefined : routesOf(options.routes);
  const names = config.acquirers.map(({ name }) => name);
  const shown = await withHomeStore(config, async (store) => {
    if (routes || testMode) await setAcquirerRouting(store, entity, present({ routes, testMode }), names);
    return acquirerRouting(store, entity);
  });
  printJson(shown);
}

/** Reads a file. @throws OperatorError naming the file and what is wrong in it */
function routesOf(file: string): readonly AcquirerRoute[] {
  const refuse = (reason: string) => new OperatorError(`${file} ${reason}`);
  const text = readSmallFile(file, MAX_FILE_BYTES, refuse).toString();
  try {
    return readAcquirerRoutes(text);
  } catch (error) {
    if (error instanceof AcquirerRoutesError) throw new OperatorError(`${file}: ${error.message}`);
    throw error;
  }
}
