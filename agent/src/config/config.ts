import { join, resolve } from 'node:path';
import { entriesOf } from '@tillbridge/platform/config/list-setting.js';
import { loadSettings } from '@tillbridge/platform/config/load-settings.js';
import { isLoopbackHost } from '@tillbridge/platform/config/net-setting.js';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { homeOf, type LogConfig, logConfig } from '@tillbridge/platform/config/program-settings.js';
import { LOOPBACK } from '@tillbridge/platform/net/peers.js';
import type { TlsFiles } from '@tillbridge/platform/net/tls-certificate.js';
import { minorByCurrency } from '@tillbridge/platform/schema/amount-fields.js';
import type { Static } from '@tillbridge/platform/schema/type.js';
import type { CapkRecord } from '@tillbridge/wire/crypto/emv/capk.js';
import { UNIX_PREFIX } from '@tillbridge/wire/seams/report-pipe.js';
import { deviceTypeSpec } from '../drivers/device-types.js';
import { DEFAULT_POLICY, type SalePolicy } from '../sale/machine/state/policy.js';
import type { StoreConfig } from '../sale/receipts/store.js';
import { enrolledAddress } from '../uplink/gateway-address.js';
import { readCapkFile } from './capk-file.js';
import { type JournalConfig, journalConfig } from './journal.js';
import { type NexoConfig, nexoConfig } from './nexo.js';
import { offlinePolicy } from './offline.js';
import { type ReplicaConfig, replicaConfig } from './replica.js';
import { AGENT_SETTINGS, DEFAULT_BRIDGE_URL } from './schema.js';
import { addressLines } from './store.js';
import { type TerminalConfig, terminalConfig } from './terminals.js';
import { type UpdateConfig, updateConfig } from './update.js';
import { type ZvtConfig, zvtConfig } from './zvt.js';

type Settings = Static<typeof AGENT_SETTINGS>;

/** The configuration of `tillbridge-agent run`. */
export interface AgentConfig extends Pick<Settings, 'host' | 'port' | 'mode' | 'merchant'> {
  readonly home: string;
  /** Names of the agent in addition to `localhost` and its address. */
  readonly hostNames: readonly string[];
  /** Origins of tills that are web pages of another site. */
  readonly tillOrigins: readonly string[];
  readonly store: StoreConfig;
  /** Absent: plain HTTP, only on loopback. */
  readonly tls?: TlsFiles;
  /** Undefined: the home's own token, made at the first start. */
  readonly tokenFile: string | undefined;
  readonly bridgeUrl: string;
  /** No address is configured: an enrolment takes that of its code. */
  readonly takesAddressOfCode?: true;
  readonly log: LogConfig;
  readonly policy: SalePolicy;
  readonly terminals: readonly TerminalConfig[];
  readonly journal: JournalConfig;
  /** Undefined: this agent holds no copies of others. */
  readonly replica: ReplicaConfig | undefined;
  /** Undefined: tills that speak nexo are not served. */
  readonly nexo: NexoConfig | undefined;
  /** Undefined: tills that speak ZVT are not served. */
  readonly zvt: ZvtConfig | undefined;
  readonly update: UpdateConfig;
  /** Certification authorities whose cards the terminals trust; those of test cards when absent. */
  readonly capks?: readonly CapkRecord[];
}

/**
 * Reads the configuration: `file` (YAML) if given, then the environment over it.
 * @throws ConfigError naming every wrong key and value, what was expected, and the near match.
 */
export function loadConfig(file: string | undefined, env: NodeJS.ProcessEnv): AgentConfig {
  return loadSettings(AGENT_SETTINGS, { file, env }, (settings, problems) =>
    agentConfig(settings, homeOf(settings.home, 'agent', env), problems),
  );
}

function agentConfig(settings: Settings, home: string, problems: Problems): AgentConfig {
  const { host, port, tls, mode, merchant, tokenFile, gateway, log } = settings;
  refusePlainHttp(settings, problems);
  const terminals = settings.terminals.map(terminalConfig);
  const address = gateway.bridgeUrl ?? enrolledAddress(home);
  for (const key of ['id', 'path', 'trace'] as const) refuseDuplicates(terminals, key, problems);
  const capks = trustedAuthorities(settings, terminals, problems);
  if (mode === 'live' && address?.startsWith('wss:') === false)
    problems.at(
      ['gateway', 'bridgeUrl'],
      'must be a wss: address in live mode: the gateway’s TLS key is pinned',
    );
  return {
    home,
    host,
    hostNames: entriesOf(settings.hostNames),
    tillOrigins: entriesOf(settings.tillOrigins),
    store: storeConfig(settings),
    port,
    ...(tls && { tls: { certificateFile: resolve(tls.certificateFile), keyFile: resolve(tls.keyFile) } }),
    mode,
    merchant,
    tokenFile: tokenFile === undefined ? undefined : resolve(tokenFile),
    bridgeUrl: new URL(address ?? DEFAULT_BRIDGE_URL).href,
    ...(gateway.bridgeUrl === undefined && { takesAddressOfCode: true }),
    log: logConfig(log, join(home, 'agent.log'), join(home, 'security.log')),
    policy: policyOf(settings, problems),
    terminals,
    journal: journalConfig(settings.journal, problems),
    replica: replicaConfig(settings.replica, home, problems),
    nexo: nexoConfig(settings.nexo, mode, problems),
    zvt: zvtConfig(settings.zvt, terminals, problems),
    update: updateConfig(settings.update),
    ...(capks && { capks }),
  };
}

function storeConfig({
  store: { address, name, ...store },
  merchant: { merchantId, currency },
}: Settings): StoreConfig {
  return {
    ...store,
    ...(name !== undefined && { name }),
    address: addressLines(address),
    merchantId,
    currency,
  };
}

/** The tills' token may not cross a network in clear. */
function refusePlainHttp({ host, tls }: Settings, problems: Problems): void {
  if (tls || isLoopbackHost(host) || LOOPBACK.has(host)) return;
  problems.at(
    ['host'],
    `must be a loopback address (127.0.0.1, ::1 or localhost), not ${JSON.stringify(host)}, as plain HTTP stays on this machine; set tls.certificateFile and tls.keyFile to listen elsewhere`,
  );
}

function policyOf(settings: Settings, problems: Problems): SalePolicy {
  const { answerTimeoutMs, cardTimeoutMs, linkWaitMs, overdueAfterMs } = settings;
  const { partialApproval, unlinkedRefunds } = settings;
  const times = { answerTimeoutMs, cardTimeoutMs, linkWaitMs, overdueAfterMs };
  const ceilings = minorByCurrency(settings.ceilings);
  const own = { ...times, partialApproval, unlinkedRefunds, ceilings };
  return { ...DEFAULT_POLICY, ...own, offline: offlinePolicy(settings.offline, problems) };
}

/** The certification authority keys of the terminals. Live mode needs those of the acquirer: the built-in ones sign test cards. */
function trustedAuthorities(
  { mode, capkFile }: Settings,
  terminals: readonly TerminalConfig[],
  problems: Problems,
): readonly CapkRecord[] | undefined {
  if (mode === 'live') refuseSimulated(terminals, problems);
  if (capkFile !== undefined) return readCapkFile(resolve(capkFile), mode, problems);
  const inNeed = terminals.find(({ deviceType }) => deviceTypeSpec(deviceType).emvTables);
  if (mode === 'live' && inNeed !== undefined)
    problems.at(
      ['capkFile'],
      `is missing: in live mode terminal ${inNeed.id} needs the acquirer's certification authority keys, the built-in ones are of test cards`,
    );
  return undefined;
}

/** Refuses simulated devices in live mode: only a simulator speaks HID over a socket. */
function refuseSimulated(terminals: readonly TerminalConfig[], problems: Problems): void {
  for (const { id, path } of terminals) {
    if (!path.startsWith(UNIX_PREFIX)) continue;
    problems.at(
      ['terminals'],
      `has ${id} on ${path}, a simulated device; live mode takes real ones: vendor:product[:serial]`,
    );
  }
}

/** Refuses two terminals with one port, one id or one trace. */
function refuseDuplicates(
  terminals: readonly TerminalConfig[],
  key: 'id' | 'path' | 'trace',
  problems: Problems,
): void {
  const values = terminals.map((terminal) => terminal[key]).filter((value) => value !== undefined);
  const simulatedTerminals = new Set(values.filter((value, index) => values.indexOf(value) !== index));
  for (const value of simulatedTerminals)
    problems.at(['terminals'], `has two terminals with ${key} ${value}`);
}
