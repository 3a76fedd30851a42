import { CHECK_WORK } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { until } from '../clients/http.js';

/** The node that has the consistency check instead of the gateway. It renews nothing: on SQLite a gateway takes no look at other leases. */
const HOLDER = 'f'.repeat(32);
/** The check looks whose work it is with each step, and rests 2 s between two rounds. */
const TAKEN_WITHIN_MS = 10_000;

/** Keeps a gateway that runs on SQLite from its consistency check, as another node would that has it. */
export async function holdCheck(home: string): Promise<void> {
  const nowMs = clock.nowMs();
  await withStore(home, async (store) => {
    const stored = await store.get('singleWork', [CHECK_WORK]);
    const row = { name: CHECK_WORK, owner: HOLDER, sinceMs: nowMs, version: stored?.version ?? 1 };
    await store.commit([
      {
        op: 'insert',
        table: 'nodes',
        row: { id: HOLDER, renewedAtMs: nowMs, startedAtMs: nowMs, version: 1 },
      },
      { op: stored ? 'update' : 'insert', table: 'singleWork', row },
    ]);
  });
}

/** Lets the gateway have its check again; resolves when it has begun. */
export async function releaseCheck(home: string): Promise<void> {
  await withStore(home, async (store) => {
    await store.commit([{ op: 'delete', table: 'nodes', key: [HOLDER], version: 1 }]);
    await until('the gateway’s check', TAKEN_WITHIN_MS, async () =>
      (await store.get('singleWork', [CHECK_WORK]))?.owner === HOLDER ? undefined : true,
    );
  });
}

async function withStore(home: string, work: (store: SqliteStore) => Promise<void>): Promise<void> {
  const store = await SqliteStore.open(gatewayFiles(home).database);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
