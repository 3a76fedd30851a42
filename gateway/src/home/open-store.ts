import type { GatewayConfig } from '../config/config.js';
import { SqliteStore, type StoreOptions } from '../store/sqlite-store.js';
import { gatewayFiles } from './gateway-files.js';
import { claimMode } from './home-mode.js';

/**
 * Opens the database of a home, for the configured mode alone.
 * @throws HomeModeError, StoreUnavailableError, SchemaTooNewError
 */
export async function openHomeStore(
  { home, transport }: GatewayConfig,
  options: StoreOptions = {},
): Promise<SqliteStore> {
  const store = await SqliteStore.open(gatewayFiles(home).database, options);
  try {
    await claimMode(store, transport.mode);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
