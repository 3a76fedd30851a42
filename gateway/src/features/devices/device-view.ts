import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { DeviceRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { isLocked } from '../../security/devices/account-failures.js';

/** A device as operators and merchants see it; times are ISO 8601 UTC. */
export interface DeviceView
  extends Pick<DeviceRow, 'serial' | 'deviceType' | 'accountKsn' | 'entityId' | 'state' | 'highestCounter'> {
  readonly pinKsn?: string;
  readonly agentId?: string;
  readonly terminalId?: string;
  readonly stateSince: string;
  /** Account data of it that could not be taken, in the window that counts. */
  readonly failures?: number;
  /** It has failed so often that nothing is taken from it. */
  readonly isLocked?: boolean;
}

/** What people see of a device. */
export function deviceView(row: DeviceRow): DeviceView {
  const { serial, deviceType, accountKsn, entityId, state, highestCounter, stateSinceMs } = row;
  return {
    serial,
    deviceType,
    accountKsn,
    ...present({
      pinKsn: row.pinKsn ?? undefined,
      agentId: row.agentId ?? undefined,
      terminalId: row.terminalId ?? undefined,
    }),
    entityId,
    state,
    stateSince: new Date(stateSinceMs).toISOString(),
    highestCounter,
  };
}

/** The same with its failures. @throws StoreUnavailableError */
export async function deviceDetail(
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Pick<Clock, 'nowMs'> },
  row: DeviceRow,
): Promise<DeviceView> {
  const counted = await store.get('accountFailures', ['device', row.serial]);
  return {
    ...deviceView(row),
    failures: counted?.failures ?? 0,
    isLocked: isLocked(counted, clock.nowMs()),
  };
}
