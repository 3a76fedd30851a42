import { createPublicKey } from 'node:crypto';
import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { isLoopbackHost } from '@tillbridge/platform/config/net-setting.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { isCodeAddress } from '@tillbridge/wire/bridge/enrolment-code.js';
import { keyFingerprint } from '@tillbridge/wire/bridge/identity-key.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { type Command, InvalidArgumentError } from 'commander';
import { BRIDGE_PATH } from '../../../core/bridge/endpoint.js';
import { withAudit } from '../../../kernel/audit/audit.js';
import { operatorName } from '../../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption, printFrom, withHomeStore } from '../../../kernel/commands/command.js';
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
  readonly transport: HomeConfig['transport'] & { readonly tls?: unknown; readonly publicUrl?: string };
  readonly bridge: { readonly tlsPins: readonly string[] };
}

type AgentsOption = ConfigOption<AgentsConfig>;

interface CodeOptions extends AgentsOption {
  readonly bridgeUrl?: string;
}

interface EnrolOptions extends CodeOptions {
  readonly entity: string;
  readonly agent: string;
  readonly terminal: string[];
}

interface GenerationOption extends CodeOptions {
  readonly generation?: number;
}

const BRIDGE_URL_OPTION = [
  '--bridge-url <url>',
  `where agents reach the gateway; the code carries it (default: ${BRIDGE_PATH} of publicUrl)`,
  codeAddress,
] as const;

const GENERATION_OPTION = [
  '--generation <number>',
  'the generation that follows (default: the next one)',
  whole,
] as const;

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
    .option(...BRIDGE_URL_OPTION)
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
  )
    .option(...BRIDGE_URL_OPTION)
    .action((id: string, options: CodeOptions) => withAgents(options, (deps) => issueKeyCode(deps, id)));
  addCommand(
    agents,
    'replace <agent>',
    'Issue a code by which another machine takes the place of a lost one.',
  )
    .option(...GENERATION_OPTION)
    .option(...BRIDGE_URL_OPTION)
    .action((id: string, { generation, ...options }: GenerationOption) =>
      withAgents(options, (deps) => issueReplaceCode(deps, id, generation)),
    );
  addCommand(
    agents,
    'allow-generation <agent>',
    'Allow the next generation of an agent’s journal, after it was restored.',
  )
    .option(...GENERATION_OPTION)
    .action((id: string, { generation, ...options }: GenerationOption) =>
      withAgents(options, (deps) => allowGeneration(deps, id, generation)),
    );
}

/** Prints what the work returns. */
async function withAgents(
  options: CodeOptions,
  work: (deps: AgentDeps, config: AgentsConfig) => Promise<unknown>,
): Promise<void> {
  const config = options.readConfig();
  // Before the database: a home without its keys gets no database either.
  const [identityKey] = identityOf(config).identityKeys;
  const actor = operatorName();
  const isLive = config.transport.mode === 'live';
  const bridgeUrl = bridgeUrlOf(options, config);
  const about = { identityKey, isLive, actor, ...(bridgeUrl !== undefined && { bridgeUrl }) };
  const deps = { clock: systemClock, random: systemRandom, ...about };
  const result = await withHomeStore(config, (store) => work({ ...deps, store }, config));
  if (result !== undefined) printJson(result);
}

/** Where agents reach the gateway: as the option names it, else below its public address; undefined where neither is given. */
function bridgeUrlOf({ bridgeUrl }: CodeOptions, { transport }: AgentsConfig): string | undefined {
  const { publicUrl } = transport;
  return bridgeUrl ?? (publicUrl && `${publicUrl.replace(/^http/, 'ws')}${BRIDGE_PATH}`);
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

function codeAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'wss:' || isLoopbackHost(url?.hostname ?? '');
  if (url && isSafe && isCodeAddress(url.href)) return url.href;
  throw new InvalidArgumentError(
    'expected a wss: address, or ws: on loopback, such as wss://gateway.example/bridge.',
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
