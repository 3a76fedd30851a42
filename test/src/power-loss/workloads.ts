import { journalWorkload } from './journal-workload.js';
import { ledgerWorkload } from './ledger-workload.js';
import { storeWorkload } from './store-workload.js';
import type { Workload } from './workload.js';

/** Whose files lose their power. */
export const WORKLOADS = {
  'journal of the agent': journalWorkload,
  'store of the gateway': storeWorkload,
  'ledger of the acquirer': ledgerWorkload,
} as const satisfies Readonly<Record<string, Workload>>;

/** Name of a workload. */
export type WorkloadName = keyof typeof WORKLOADS;

/** @throws RangeError for a name that no workload has */
export function workloadNamed(name: string): Workload {
  const found = (WORKLOADS as Readonly<Record<string, Workload>>)[name];
  if (!found) throw new RangeError(`no workload is called "${name}"`);
  return found;
}
