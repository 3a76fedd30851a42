import { existsSync } from 'node:fs';
import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { endSignal } from '@tillbridge/platform/end-signal.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { present } from '@tillbridge/wire/present.js';
import { Argument, type Command } from 'commander';
import { addCommand, type ConfigOption } from '../../../kernel/commands/command.js';
import { gatewayFiles } from '../../../kernel/data-folder/gateway-files.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import { configOf } from '../../configuration/read-config.js';
import { ensureCredentials } from '../credentials.js';
import type { DeveloperAccess } from './api-client.js';
import { gatewayAddress } from './gateway-address.js';
import { Listener } from './listener.js';
import type { TriggerOptions } from './trigger-payments.js';
import { TRIGGER_NAMES, TRIGGERS, type TriggerName } from './triggers.js';

interface GatewayOption extends ConfigOption {
  readonly gateway?: string;
}

const GATEWAY_OPTION = [
  '--gateway <url>',
  'address of the running gateway; without it GATEWAY_PORT, dev.json next to the home, then the configuration',
] as const;

/** `listen` and `trigger`: what a developer of an integration needs, on a development home (`seed`). */
export function addDeveloperCommands(program: Command): void {
  addCommand(
    program,
    'listen',
    'Post every event on to a program on this machine, enciphered as a webhook is; goes on after the last one that was taken.',
  )
    .requiredOption('--forward-to <url>', 'where the program listens')
    .option(...GATEWAY_OPTION)
    .action((options: GatewayOption & { forwardTo: string }) => listen(options));
  addCommand(
    program,
    'trigger',
    'Make events happen: real payments with test cards, and what else takes minutes to weeks.',
  )
    .addArgument(new Argument('<event>', 'what happens').choices([...TRIGGER_NAMES]))
    .option(
      '--payment <id>',
      'the payment that is meant; sepa-return, chargeback, settlement and checkout-result make one without it',
    )
    .option('--schedule <id>', 'for schedule-run: the schedule whose next run is made now')
    .option('--shopper-result-url <url>', 'for checkout-result: where the shop takes its shoppers back')
    .option(...GATEWAY_OPTION)
    .action(async (event: TriggerName, options: GatewayOption & TriggerOptions) => {
      const { access } = developerOf(options);
      const { payment, schedule, shopperResultUrl } = options;
      const payments = await TRIGGERS[event](access, present({ payment, schedule, shopperResultUrl }));
      printJson({ event, payments });
    });
}

async function listen({ forwardTo, ...options }: GatewayOption & { forwardTo: string }): Promise<void> {
  const { access, merchantEntityId, endpointId } = developerOf(options);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const ofMerchant = { ...access, entityId: merchantEntityId };
  const listener = new Listener({ access: ofMerchant, endpointId, forwardTo, clock: systemClock, print });
  void endSignal().then(() => listener.stop());
  await listener.run();
}

/** What `seed` has made. @throws OperatorError where it has not, or the address is not known */
function developerOf({ gateway, ...options }: GatewayOption): {
  readonly access: DeveloperAccess;
  readonly merchantEntityId: string;
  readonly endpointId: string;
} {
  const config = configOf(options);
  if (config.transport.mode === 'live')
    throw new OperatorError('mode is live: listen and trigger work on a development home alone');
  const { credentials } = gatewayFiles(config.home);
  if (!existsSync(credentials)) throw new OperatorError(`${config.home} is no development home: run "seed"`);
  const { accessToken, entityId, merchantEntityId, webhook, simulatorToken } = ensureCredentials(
    credentials,
    systemRandom,
  );
  const access = {
    url: gatewayAddress(gateway, config, process.env),
    token: accessToken,
    entityId,
    simulatorToken,
  };
  return { access, merchantEntityId, endpointId: webhook.id };
}
