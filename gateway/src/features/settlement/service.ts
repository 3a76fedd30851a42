import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { AcquirerRecord } from '../../core/acquirers/acquirer.js';
import { ensureRow } from '../../core/entities/entities.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import type { ReconciliationFileRow, SettlementRow, SettlementRunRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { ClaimLoop, ClaimNode } from '../../kernel/workers/claim-loop.js';
import { claimRows } from '../../kernel/workers/claim-rows.js';
import { closeSettlements } from './close-settlements.js';
import { type FileDeps, writeReconciliationFiles } from './reconciliation-files.js';
import { type FailedPart, RunFaults } from './run-faults.js';
import { settleLedger } from './settle-ledger.js';

/** When settlement is done each day: hours after midnight in the zone of the clearing institute, UTC. */
const NIGHTLY_HOUR = 2;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SOURCE = 'INTERNAL';

/** What settlement works with. */
export interface SettlementDeps extends FileDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** The acquirer's own record; absent: files alone are settled. */
  readonly record?: AcquirerRecord;
  /** Books chargebacks first, so that their records name them. */
  readonly bookChargebacks: () => Promise<void>;
  /** Where parts of a run that fail are raised. */
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>;
}

/** What a run has made. */
export interface SettlementRun {
  readonly settlements: readonly SettlementRow[];
  /** Also those of earlier runs that were missing. */
  readonly files: readonly ReconciliationFileRow[];
  /** Parts that failed; the next run does them again. */
  readonly failed: readonly FailedPart[];
}

/**
 * Settles what has happened until now, closes the settlements and writes the files of their merchants. Any number of runs at once settle
 * nothing twice. A part that fails stops no other one, and is an alert.
 * @param owners merchants and channels whose settlements are closed; absent: all. The ledger is read as a whole: its place is one. A run for some
 * neither raises nor clears alerts: it has not looked at the parts of others
 * @throws StoreUnavailableError, AcquirerUnreachableError
 */
export async function runSettlement(
  deps: SettlementDeps,
  owners?: readonly string[],
): Promise<SettlementRun> {
  const { record } = deps;
  const faults = new RunFaults(deps);
  if (record) {
    await faults.during('chargebacks', () => deps.bookChargebacks());
    await faults.during('ledger', () => settleLedger({ ...deps, record, faults }));
  }
  const isOwn = (id: string): boolean => owners?.includes(id) ?? true;
  const close = () => closeSettlements({ ...deps, faults }, ({ entityId }) => isOwn(entityId));
  const settlements = (await faults.during('close', close)) ?? [];
  const write = () => writeReconciliationFiles({ ...deps, faults }, isOwn);
  const files = (await faults.during('files', write)) ?? [];
  if (!owners) await faults.end();
  return { settlements, files, failed: faults.failed };
}

/** The next night after a time. */
export function nextNightMs(nowMs: number): number {
  const tonight = Math.floor(nowMs / DAY_MS) * DAY_MS + NIGHTLY_HOUR * HOUR_MS;
  return tonight > nowMs ? tonight : tonight + DAY_MS;
}

/** Settles each night, by one gateway of many; a night that was missed is made up for at once. */
export async function startNightlySettlement(
  deps: SettlementDeps,
  {
    run = () => runSettlement(deps),
    node,
    onFault,
  }: {
    readonly run?: () => Promise<unknown>;
    readonly node?: ClaimNode | undefined;
    readonly onFault: (error: unknown) => void;
  },
): Promise<ClaimLoop<SettlementRunRow>> {
  const { store, clock } = deps;
  const first = {
    source: SOURCE,
    dueAtMs: nextNightMs(clock.nowMs()),
    leasedBy: null,
    claims: 0,
    version: 1,
  };
  await ensureRow(store, { op: 'insert', table: 'settlementRuns', row: first });
  const again = (row: SettlementRunRow) => ({ row: { ...row, dueAtMs: nextNightMs(clock.nowMs()) } });
  const loop = claimRows('settlementRuns', {
    store,
    clock,
    random: deps.random,
    node,
    work: async (row) => {
      await run();
      return again(row);
    },
    poisoned: again,
    limits: { concurrency: 1, pollMs: 10_000 },
    onFault,
  });
  loop.wake();
  return loop;
}
