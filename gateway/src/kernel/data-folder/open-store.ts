import { statSync } from 'node:fs';
import { createSecurityLog } from '@tillbridge/platform/log/log.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { withAuditChain } from '../audit/audit-chain.js';
import { type TrailLog, withSecurityTrail } from '../audit/security-trail.js';
import type { HomeConfig } from '../configuration/home-config.js';
import type { AppliedStep } from '../store/migrations.js';
import { newId } from '../store/new-id.js';
import type { PostgresStoreOptions } from '../store/postgres/postgres-store.js';
import { signallingStore } from '../store/signalling-store.js';
import { LocalSignals, type Signals } from '../store/signals/signals.js';
import { SqliteStore, type StoreOptions } from '../store/sqlite-store.js';
import type { Store } from '../store/store.js';
import { auditChainKey } from './audit-chain-key.js';
import { gatewayFiles } from './gateway-files.js';
import { claimMode } from './home-mode.js';
import { notingLatePayments } from './late-payments.js';

/** The name of the program in its logs. */
export const LOG_NAME = 'tillbridge-gateway';

type DatabaseConfig = Pick<HomeConfig, 'home' | 'databaseUrl'>;

/** Signals between the processes that use the database. */
export async function openHomeSignals({
  databaseUrl,
}: Pick<DatabaseConfig, 'databaseUrl'>): Promise<Signals> {
  if (databaseUrl === undefined) return new LocalSignals();
  const { STORE_SCHEMA_NAME } = await postgres();
  const { PostgresSignals } = await import('../store/postgres/postgres-signals.js');
  return new PostgresSignals({ url: databaseUrl, schema: STORE_SCHEMA_NAME });
}

/**
 * Opens the database of a home, or the one of `DATABASE_URL`, for the configured mode alone. Other processes receive signals of commits that they
 * wait for: by the signals that are given, else by some that end with the store.
 * Actions of operators are written to the security log (`log`; absent: one of this process alone).
 * @throws HomeModeError, StoreUnavailableError, SchemaTooNewError
 */
export async function openHomeStore(
  config: DatabaseConfig & Pick<HomeConfig, 'transport' | 'log'>,
  {
    signals: given,
    log = createSecurityLog(LOG_NAME, config.log),
    ...options
  }: StoreOptions & PostgresStoreOptions & { readonly signals?: Signals; readonly log?: TrailLog } = {},
): Promise<Store> {
  const signals = given ?? (await openHomeSignals(config));
  const trailed = withSecurityTrail(
    notingLatePayments(signallingStore(await openEngine(config, options), signals), systemClock),
    log,
    systemClock.nowMs,
  );
  const engine = withAuditChain(trailed, () => auditChainKey(config.home), systemClock);
  const close = async (): Promise<void> => {
    await engine.close();
    if (!given) await signals.close();
  };
  const store = { ...engine, close };
  try {
    await claimMode(store, config.transport.mode, newId(systemRandom));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Brings the schema of the database up to date, or only finds what it would do. Returns the steps.
 * @throws StoreUnavailableError, SchemaTooNewError
 */
export async function migrateHomeStore(
  { home, databaseUrl }: DatabaseConfig,
  dryRun: boolean,
): Promise<readonly AppliedStep[]> {
  if (databaseUrl === undefined) return SqliteStore.migrate(gatewayFiles(home).database, dryRun);
  const { PostgresStore, STORE_SCHEMA_NAME } = await postgres();
  return PostgresStore.migrate({ url: databaseUrl, schema: STORE_SCHEMA_NAME }, dryRun);
}

/**
 * How far the clock of this machine is ahead of that of the database: of its server, or of the last write to its file, which it can only be
 * behind. Undefined where there is none yet.
 * @throws StoreUnavailableError
 */
export async function databaseClockAheadMs({
  home,
  databaseUrl,
}: DatabaseConfig): Promise<number | undefined> {
  const nowMs = systemClock.nowMs();
  if (databaseUrl !== undefined) return nowMs - (await serverTimeMs(databaseUrl));
  const { mtimeMs } = statSync(gatewayFiles(home).database, { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined ? undefined : Math.min(0, nowMs - mtimeMs);
}

/** What a PostgreSQL server promises. */
interface DatabaseFacts {
  /** Such as `17.2`. */
  readonly version: string;
  /** The same as a number, such as 170002. */
  readonly versionNumber: number;
  /** Whether a commit is on disk when it is answered. */
  readonly isDurable: boolean;
}

/** Asks the server of a URL. @throws StoreUnavailableError */
export async function databaseFacts(url: string): Promise<DatabaseFacts> {
  const { PostgresConnections } = await import('../store/postgres/connection.js');
  const connections = new PostgresConnections({ url, schema: 'public' });
  try {
    const [row] = await connections.all<Readonly<Record<'version' | 'number' | 'fsync' | 'commit', string>>>(
      "SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
    );
    const { version = '', number = '0', fsync, commit } = row ?? {};
    return { version, versionNumber: Number(number), isDurable: fsync === 'on' && commit !== 'off' };
  } finally {
    await connections.close();
  }
}

async function serverTimeMs(url: string): Promise<number> {
  const { PostgresConnections } = await import('../store/postgres/connection.js');
  const connections = new PostgresConnections({ url, schema: 'public' });
  try {
    const [row] = await connections.all<{ readonly ms: string }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS ms',
    );
    return Number(row?.ms);
  } finally {
    await connections.close();
  }
}

async function openEngine(
  { home, databaseUrl }: DatabaseConfig,
  options: StoreOptions & PostgresStoreOptions,
): Promise<Store> {
  if (databaseUrl === undefined) return SqliteStore.open(gatewayFiles(home).database, options);
  const { PostgresStore, STORE_SCHEMA_NAME } = await postgres();
  return PostgresStore.open({ url: databaseUrl, schema: STORE_SCHEMA_NAME }, options);
}

/** Loaded where it is needed alone. */
function postgres() {
  return import('../store/postgres/postgres-store.js');
}
