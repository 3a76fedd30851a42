import { createSecretKey } from 'node:crypto';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { NodeLease } from '../../kernel/nodes/node-lease.js';
import { PostgresStore, STORE_SCHEMA_NAME } from '../../kernel/store/postgres/postgres-store.js';
import type { Store } from '../../kernel/store/store.js';
import { testDatabaseUrl } from '../../kernel/store/testing/postgres-server.js';
import { InternalAcquirer } from '../acquirers/internal/internal-acquirer.js';
import { PostgresLedger } from '../acquirers/internal/postgres-ledger.js';
import { standingGate } from './gates/standing-gate.js';
import { ENGINES, openPaymentHarness, type PaymentHarness, storeOf } from './payment-harness.test.support.js';
import { GatewayPaymentService } from './service.js';
import type { PaymentContext } from './steps/payment-context.js';

/** Where several requests at once arrive: one node on each engine, and two nodes on one PostgreSQL database. */
export const NODE_SETUPS = [...ENGINES, 'two nodes of postgres'] as const;

/** A node of the gateway. */
interface TestNode {
  readonly context: PaymentContext;
  readonly store: Store;
  readonly service: GatewayPaymentService;
}

/** The nodes of a test, on one database. */
export interface NodesHarness {
  readonly harness: PaymentHarness;
  readonly nodes: readonly TestNode[];
  dispose(): Promise<void>;
}

/** Opens the harness with the nodes of a setup. */
export async function openNodes(setup: (typeof NODE_SETUPS)[number]): Promise<NodesHarness> {
  if (setup !== 'two nodes of postgres') {
    const harness = await openPaymentHarness(storeOf(setup));
    const { context, store, service } = harness;
    return { harness, nodes: [{ context, store, service }], dispose: () => harness.dispose() };
  }
  const url = await testDatabaseUrl();
  const harness = await openPaymentHarness(() => PostgresStore.open({ url, schema: STORE_SCHEMA_NAME }));
  const [left, right] = [await startNode(url, harness), await startNode(url, harness)];
  const dispose = async (): Promise<void> => {
    await left.close();
    await right.close();
    // The nodes have a ledger of their own.
    harness.mayDiffer = true;
    await harness.dispose();
  };
  return { harness, nodes: [left, right], dispose };
}

/** A node: a service with connections of its own to the database, and its own way to the acquirer's ledger. */
export async function startNode(databaseUrl: string, harness: PaymentHarness) {
  const store = await PostgresStore.open({ url: databaseUrl, schema: STORE_SCHEMA_NAME });
  const ledger = await PostgresLedger.open({ url: databaseUrl, schema: 'acquirer_internal' });
  const { security, fingerprint } = harness.context;
  const hashKey = createSecretKey(Buffer.alloc(32, 1));
  const clock = systemClock;
  const acquirer = new InternalAcquirer({ hashKey, security, clock, random }, ledger);
  const onFault = () => undefined;
  const node = await NodeLease.begin({ store, clock, random, isSingleNode: false, onFault });
  const gates = [standingGate({ store, fingerprint, clock: harness.clock })];
  const context = { ...harness.context, store, acquirer, clock, node, gates, onFault };
  const service = new GatewayPaymentService(context);
  const close = async (): Promise<void> => {
    await service.stop();
    await node.end();
    await acquirer.close();
    await store.close();
  };
  return { context, service, store, acquirer, close };
}
