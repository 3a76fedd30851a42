import { createPublicKey } from 'node:crypto';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { keyFingerprint } from '@tillbridge/wire/bridge/identity-key.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { type Command, InvalidArgumentError } from 'commander';
import { withAudit } from '../../../kernel/audit/audit.js';
import { operatorName } from '../../../kernel/audit/operator-name.js';
import {
  addCommand,
  type ConfigOption,
  printFrom,
  printJson,
  withHomeStore,
} from '../../../kernel/commands/command.js';
import type { HomeConfig } from '../../../kernel/configuration/home-config.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import {
  type GatewayIdentity,
  loadGatewayIdentity,
  rotateGatewayIdentity,
} from '../../../security/keys/gateway-identity.js';
import { securityFiles } from '../../../security/security-files.js';
import {
  type AgentDeps,
  allowGeneration,
  issueEnrolCode,
  issueKeyCode,
  issueReplaceCode,
  listAgents,
  revokeAgent,
  showAgent,
} from '../service.js';

/** What of the configuration these commands need. */
interface AgentsConfig extends HomeConfig {
  readonly transport: HomeConfig['transport'] & { readonly tls?: unknown };
  readonly bridge: { readonly tlsPins: readonly string[] };
}

type AgentsOption = ConfigOption<AgentsConfig>;

interface EnrolOptions extends AgentsOption {
  readonly entity: string;
  readonly agent: string;
  readonly terminal: string[];
}

interface GenerationOption extends AgentsOption {
  readonly generation?: number;
}

/** `agents list | show | gateway-key | enrol-code | rotate-key | replace | allow-generation | revoke | rotate-gateway-key`. */
export function addAgentCommands(agents: Command): void {
  addLists(agents);
  addGatewayKey(agents);
  addCodes(agents);
  addCommand(agents, 'revoke <agent>', 'Refuse the agent from now on, and end its session.').action(
    (id: string, options: AgentsOption) => withAgents(options, (deps) => revokeAgent(deps, id)),
  );
  addCommand(
    agents,
    'rotate-gateway-key',
    'Put the backup of the gateway’s identity key in its place, and make a new backup. Then start the gateway again.',
  )
    .option('--backup-file <file>', 'where the backup is kept, if not in the home')
    .action(async (options: AgentsOption & { readonly backupFile?: string }) => {
      const config = options.readConfig();
      const about = { actor: operatorName(), action: 'agents rotate-gateway-key', subject: 'identity' };
      const deps = { clock: systemClock, random: systemRandom };
      identityOf(config);
      await withHomeStore(config, (store) =>
        withAudit({ ...deps, store }, { ...about, detail: {} }, () =>
          rotateGatewayIdentity(securityFiles(config.home), options.backupFile),
        ),
      );
      process.stdout.write('the backup is the identity key now; start every node of the gateway again\n');
    });
}

/** Shows the key that countersigns heads of journals: proofs of sales are verified with it. */
function addGatewayKey(agents: Command): void {
  addCommand(
    agents,
    'gateway-key',
    'Show the fingerprint and the public half of the identity key: proofs of sales are verified with it.',
  ).action((options: AgentsOption) => {
    const [spki] = identityOf(options.readConfig()).identityKeys;
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const publicKey = key.export({ type: 'spki', format: 'pem' });
    printJson({ fingerprint: toHex(keyFingerprint(spki)), publicKey });
  });
}

function addLists(agents: Command): void {
  addCommand(agents, 'list', 'List the agents, the stored heads of their journals, and alarms about them.')
    .option('--entity <id>', 'those of one entity alone')
    .action(async ({ entity, ...options }: AgentsOption & { readonly entity?: string }) =>
      printFrom(options, ({ store }) => listAgents(store, entity)),
    );
  addCommand(agents, 'show <agent>', 'Show one agent.').action(async (id: string, options: AgentsOption) =>
    printFrom(options, ({ store }) => showAgent(store, id)),
  );
}

function addCodes(agents: Command): void {
  addCommand(
    agents,
    'enrol-code',
    'Issue a one-time code by which a new agent becomes known; it is valid for ten minutes.',
  )
    .requiredOption('--entity <id>', 'the merchant or channel that the store sells for')
    .requiredOption(
      '--agent <id>',
      'a new agent id: 1 to 64 letters, digits, dots, hyphens or underscores',
      agentId,
    )
    .requiredOption('--terminal <id...>', 'its terminals, 1 to 32 digits each', terminalId)
    .action(({ entity, agent, terminal, ...options }: EnrolOptions) =>
      withAgents(options, (deps, config) => {
        requirePins(config);
        return issueEnrolCode(deps, { entityId: entity, agentId: agent, terminals: terminal });
      }),
    );
  addCommand(
    agents,
    'rotate-key <agent>',
    'Issue a code for another key of an agent. The present one counts until then.',
  ).action((id: string, options: AgentsOption) => withAgents(options, (deps) => issueKeyCode(deps, id)));
  const nextGeneration = [
    ['replace', 'Issue a code by which another machine takes the place of a lost one.', issueReplaceCode],
    [
      'allow-generation',
      'Allow the next generation of an agent’s journal, after it was restored.',
      allowGeneration,
    ],
  ] as const;
  for (const [name, description, work] of nextGeneration)
    addCommand(agents, `${name} <agent>`, description)
      .option('--generation <number>', 'the generation that follows (default: the next one)', whole)
      .action((id: string, { generation, ...options }: GenerationOption) =>
        withAgents(options, (deps) => work(deps, id, generation)),
      );
}

/** Prints what the work returns. */
async function withAgents(
  options: AgentsOption,
  work: (deps: AgentDeps, config: AgentsConfig) => Promise<unknown>,
): Promise<void> {
  const config = options.readConfig();
  // Before the database: a home without its keys gets no database either.
  const [identityKey] = identityOf(config).identityKeys;
  const actor = operatorName();
  const deps = { clock: systemClock, random: systemRandom, identityKey, actor };
  const result = await withHomeStore(config, (store) => work({ ...deps, store }, config));
  if (result !== undefined) printJson(result);
}

function identityOf({ home }: AgentsConfig): GatewayIdentity {
  return loadGatewayIdentity(securityFiles(home));
}

/** Behind a proxy an agent sees the proxy's key: without its pin no agent could connect. */
function requirePins({ transport, bridge }: AgentsConfig): void {
  if (transport.mode === 'test' || transport.tls || bridge.tlsPins.length > 0) return;
  throw new OperatorError(
    'bridge.tlsPins is empty: agents pin the TLS key of the proxy; set it to the SHA-256 of the public key, such as sha256/BASE64',
  );
}

function agentId(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('expected 1 to 64 letters, digits, dots, hyphens or underscores.');
}

function terminalId(text: string, before: readonly string[] = []): readonly string[] {
  if (/^\d{1,32}$/.test(text)) return [...before, text];
  throw new InvalidArgumentError('expected 1 to 32 digits (spec 2.3, pos.terminalId).');
}

function whole(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number from 1.');
}
