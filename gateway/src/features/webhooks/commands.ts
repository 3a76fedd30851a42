import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { present } from '@tillbridge/wire/present.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { operatorName } from '../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';
import type { HomeConfig } from '../../kernel/configuration/home-config.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { type EgressConfig, egressRules } from '../../kernel/egress/egress-rules.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { EVENT_TYPES } from '../../kernel/events/event-kinds.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { findEndpoint } from './change-endpoint.js';
import { deliveryLog, resend } from './deliveries.js';
import { isTaken } from './rules/delivery-log.js';
import * as endpoints from './service.js';
import { sharedWebhookDeps } from './shared-deps.js';
import type { WebhookDeps } from './webhook-deps.js';
import { deliveryView, endpointView, tryView } from './webhook-view.js';

/** What these commands need of the configuration. */
type WebhookOptions = ConfigOption<HomeConfig & EgressConfig>;

interface CreateOptions
  extends WebhookOptions,
    Pick<endpoints.EndpointAbout, 'url' | 'types' | 'scope' | 'format'> {
  readonly entity: string;
}

interface ResendOptions extends WebhookOptions {
  readonly sequence?: number;
  readonly since?: number;
  readonly until?: number;
}

const HOUR_MS = 3_600_000;

/** Commands of the feature. */
export const WEBHOOK_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'webhooks',
    description: 'Where events of merchants are delivered to. The page “Webhooks” explains them.',
    add: addWebhookCommands,
  },
];

/** `webhooks list | create | show | test | pause | resume | rotate | remove | log | resend`. */
function addWebhookCommands(webhooks: Command): void {
  addCommand(webhooks, 'list', 'List the endpoints of a merchant or channel.')
    .requiredOption('--entity <id>', 'the merchant or channel')
    .action(({ entity, ...options }: WebhookOptions & { entity: string }) =>
      withWebhooks(options, async (deps) => (await endpoints.listEndpoints(deps, entity)).map(endpointView)),
    );
  addCommand(webhooks, 'create', 'Make an endpoint and print its key, which is shown this once.')
    .requiredOption('--entity <id>', 'the merchant (with its channels) or channel whose events it gets')
    .option('--url <url>', 'where events are posted to; without one “listen” fetches them')
    .addOption(new Option('--types <type...>', 'types of events; without it all').choices([...EVENT_TYPES]))
    .addOption(new Option('--scope <scope>', 'reduced: without the customer').choices(['all', 'reduced']))
    .addOption(
      new Option('--format <format>', 'of the body: hex, or JSON around it').choices(['hex', 'json']),
    )
    .action(({ entity, config, readConfig, ...about }: CreateOptions) =>
      withWebhooks({ ...present({ config }), readConfig }, async (deps) =>
        keyedView(await endpoints.createEndpoint(deps, { entityId: entity, ...about })),
      ),
    );
  addCommand(webhooks, 'show <endpoint>', 'Show an endpoint.').action((id: string, options: WebhookOptions) =>
    withWebhooks(options, async (deps) => endpointView(await findEndpoint(deps, id))),
  );
  addCommand(webhooks, 'test <endpoint>', 'Send a test delivery; one that is taken makes it active.').action(
    (id: string, options: WebhookOptions) =>
      withWebhooks(options, async (deps) => {
        const { endpoint, tried } = await endpoints.testEndpoint(deps, id);
        if (tried && !isTaken(tried))
          throw new OperatorError(
            `the receiver did not take it: ${tried.status ?? `${tried.fault} (${tried.reason})`}`,
          );
        return { ...endpointView(endpoint), ...(tried && { test: tryView(tried) }) };
      }),
  );
  addCommand(webhooks, 'pause <endpoint>', 'Let the deliveries of an endpoint wait.')
    .requiredOption('--note <text>', 'why, for those who look')
    .action((id: string, { note, ...options }: WebhookOptions & { note: string }) =>
      withWebhooks(options, async (deps) => endpointView(await endpoints.pauseEndpoint(deps, id, note))),
    );
  addCommand(webhooks, 'resume <endpoint>', 'Deliver what waited.').action(
    (id: string, options: WebhookOptions) =>
      withWebhooks(options, async (deps) => endpointView(await endpoints.resumeEndpoint(deps, id))),
  );
  addCommand(
    webhooks,
    'rotate <endpoint>',
    'Make a new key and print it; until the overlap is over the former one is used.',
  )
    .option(
      '--overlap <hours>',
      'time to bring the key to the receiver',
      hours,
      endpoints.ENDPOINT_LIMITS.overlapMs,
    )
    .action((id: string, { overlap, ...options }: WebhookOptions & { overlap: number }) =>
      withWebhooks(options, async (deps) => keyedView(await endpoints.rotateKey(deps, id, overlap))),
    );
  addCommand(webhooks, 'remove <endpoint>', 'Deliver nothing to an endpoint any more, for ever.').action(
    (id: string, options: WebhookOptions) =>
      withWebhooks(options, async (deps) => {
        await endpoints.removeEndpoint(deps, id);
        return { id, state: 'removed' };
      }),
  );
  addDeliveryCommands(webhooks);
}

function addDeliveryCommands(webhooks: Command): void {
  addCommand(webhooks, 'log <endpoint>', 'List deliveries with their tries, in the order of their numbers.')
    .option('--after <sequence>', 'those above this number', wholeNumber, 0)
    .option('--limit <count>', 'at most so many', wholeNumber, 100)
    .action((id: string, { after, limit, ...options }: WebhookOptions & { after: number; limit: number }) =>
      withWebhooks(options, async (deps) => (await deliveryLog(deps, id, after, limit)).map(deliveryView)),
    );
  addCommand(webhooks, 'resend <endpoint>', 'Deliver again: one number, or the events of a time.')
    .option('--sequence <number>', 'the number of the delivery', wholeNumber)
    .option('--since <time>', 'events of this time and later, ISO 8601', time)
    .option('--until <time>', 'events before this time, ISO 8601; without it until now', time)
    .action((id: string, options: ResendOptions) =>
      withWebhooks(options, async (deps) => ({ queued: await resend(deps, id, resentOf(options)) })),
    );
}

function resentOf({ sequence, since, until }: ResendOptions) {
  if (sequence !== undefined && since === undefined && until === undefined) return { sequence };
  if (sequence === undefined && since !== undefined)
    return { fromMs: since, toMs: until ?? Number.MAX_SAFE_INTEGER };
  throw new OperatorError('name --sequence, or --since with or without --until');
}

/** An endpoint with the key that is shown this once. */
function keyedView({ endpoint, key }: endpoints.KeyedEndpoint) {
  return { ...endpointView(endpoint), key: key.key, keyId: key.id };
}

async function withWebhooks(
  options: WebhookOptions,
  work: (deps: WebhookDeps) => Promise<unknown>,
): Promise<void> {
  const config = options.readConfig();
  const tokenKey = loadKeyFile(gatewayFiles(config.home).tokenKey);
  await withHomeStore(config, async (store) => {
    const parts = { store, clock: systemClock, random: systemRandom, tokenKey, rules: egressRules(config) };
    printJson(await work({ ...sharedWebhookDeps(parts), actor: operatorName() }));
  });
}

function wholeNumber(value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}

function hours(value: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new InvalidArgumentError('Expected hours, 0 to 999.');
  return Number(value) * HOUR_MS;
}

function time(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Expected a time of ISO 8601.');
  return ms;
}
