import type { Store } from '../store/store.js';
import { listAlerts } from './alert-list.js';

/** Code and subject of each alert that is open, in the order in which they are listed. */
export async function openAlerts(store: Pick<Store, 'find'>): Promise<string[]> {
  return (await listAlerts(store, ['open'])).map(({ code, subject }) => `${code} ${subject}`);
}
