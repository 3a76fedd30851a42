import type { GatewayConfig } from '../config/config.js';
import type { AppliedStep } from '../store/migrations.js';
import { SqliteStore, type StoreOptions } from '../store/sqlite-store.js';
import type { Store } from '../store/store.js';
import { gatewayFiles } from './gateway-files.js';
import { claimMode } from './home-mode.js';

type DatabaseConfig = Pick<GatewayConfig, 'home' | 'databaseUrl'>;

/**
 * Opens the database of a home, or the one of `DATABASE_URL`, for the configured mode alone.
 * @throws HomeModeError, StoreUnavailableError, SchemaTooNewError
 */
export async function openHomeStore(
  config: DatabaseConfig & Pick<GatewayConfig, 'transport'>,
  options: StoreOptions = {},
): Promise<Store> {
  const store = await openEngine(config, options);
  try {
    await claimMode(store, config.transport.mode);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Brings the schema of the database up to date, or tells what it would do. Returns the steps.
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

async function openEngine({ home, databaseUrl }: DatabaseConfig, options: StoreOptions): Promise<Store> {
  if (databaseUrl === undefined) return SqliteStore.open(gatewayFiles(home).database, options);
  const { PostgresStore, STORE_SCHEMA_NAME } = await postgres();
  return PostgresStore.open({ url: databaseUrl, schema: STORE_SCHEMA_NAME }, options);
}

/** Loaded where it is needed alone. */
function postgres() {
  return import('../store/postgres/postgres-store.js');
}
