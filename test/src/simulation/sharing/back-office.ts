import type { AcquirerRecord } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { RegistrationDeps } from '@tillbridge/gateway/core/registrations/registrations.js';
import { APPROVED_CODES, Registrations } from '@tillbridge/gateway/core/registrations/registrations.js';
import { closeSettlements } from '@tillbridge/gateway/features/settlement/close-settlements.js';
import { settleLedger } from '@tillbridge/gateway/features/settlement/settle-ledger.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';

/** What a merchant has of a gateway in addition to its payments. */
export interface BackOffice {
  readonly registrations: Registrations;
  /**
   * Settles what has happened until now, and closes the settlements; their files are written when the simulation is over.
   * @returns how many records were written
   */
  settle(): Promise<number>;
}

/** What it is opened with: the parts of one process of a gateway. */
interface BackOfficeDeps extends Omit<RegistrationDeps, 'approvedCode'> {
  readonly store: Store;
  /** The acquirer's own record. @throws AcquirerUnreachableError while its host is down */
  readonly record: () => AcquirerRecord;
  /** Books chargebacks first, as a settlement does. @throws AcquirerUnreachableError */
  readonly bookChargebacks: () => Promise<void>;
}

/** No part of a settlement may fail here: one that does is a fault of the whole. */
const NO_FAULTS = {
  during: <T>(_part: string, work: () => Promise<T>): Promise<T> => work(),
  note: (_part: string, error: unknown): never => {
    throw error;
  },
};

/** Opens the back office of a process. */
export function openBackOffice(deps: BackOfficeDeps): BackOffice {
  return {
    registrations: new Registrations({ ...deps, approvedCode: APPROVED_CODES.test }),
    settle: async () => {
      const settling = { ...deps, record: deps.record(), faults: NO_FAULTS };
      await deps.bookChargebacks();
      const records = await settleLedger(settling);
      await closeSettlements(settling);
      return records;
    },
  };
}
