import { LedgerDatabase } from '@tillbridge/gateway/core/acquirers/internal/ledger-database.js';
import { ledgerRecord } from '@tillbridge/gateway/core/acquirers/internal/ledger-record.js';
import { runSettlement } from '@tillbridge/gateway/features/settlement/service.js';
import { Alerts } from '@tillbridge/gateway/kernel/alerts/alerts.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { type BenchGateway, NO_THROTTLE, openBenchGateway } from './bench-gateway.js';
import { type Filled, fillPayments, TEMPLATE_REFERENCE } from './fill-payments.js';

/** A gateway with many payments of its development merchant, and settlements of them. */
export interface FilledGateway extends Filled {
  readonly gateway: BenchGateway;
}

/** A gateway that is stopped and has so many payments: the one that is given was made over REST, the others are its copies. */
export async function filledGateway(
  count: number,
  payment: Readonly<Record<string, string>>,
): Promise<FilledGateway> {
  const gateway = await openBenchGateway({ env: NO_THROTTLE });
  const [{ entityId, token }] = gateway.merchants;
  const answer = await fetch(`${gateway.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ entityId, ...payment, merchantTransactionId: TEMPLATE_REFERENCE }),
  });
  if (answer.status !== 200) throw new Error(`the first payment came to ${answer.status}`);
  await gateway.stop();
  await settleAll(gateway.home);
  return { gateway, ...(await fillPayments(gateway.home, count)) };
}

/** Settles what has happened at a gateway that is stopped. */
async function settleAll(home: string): Promise<void> {
  const { database, acquirerDatabase, reconciliation: folder } = gatewayFiles(home);
  const store = await SqliteStore.open(database);
  const ledger = await LedgerDatabase.open(acquirerDatabase);
  try {
    const record = ledgerRecord(ledger);
    const log = { warn: () => undefined, error: () => undefined };
    const alerts = new Alerts({ store, clock, log });
    const bookChargebacks = async (): Promise<void> => undefined;
    const { failed } = await runSettlement({ store, clock, random, folder, record, alerts, bookChargebacks });
    if (failed.length > 0) throw new Error(`not settled: ${failed[0]?.part}: ${failed[0]?.reason}`);
  } finally {
    await ledger.close();
    await store.close();
  }
}
