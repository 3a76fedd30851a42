import { findAll } from '../store/all-rows.js';
import type { AlertRow } from '../store/rows.js';
import type { Store } from '../store/store.js';

/** Alerts of a code that stand, acknowledged or not. @throws StoreUnavailableError */
export async function standingOfCode(store: Pick<Store, 'find'>, code: string): Promise<readonly AlertRow[]> {
  const found = await Promise.all(
    ['open', 'acknowledged'].map((state) => findAll(store, 'alerts', 'code', [code, state])),
  );
  return found.flat();
}
