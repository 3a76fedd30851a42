import type { TerminalDriver } from '@tillbridge/agent/drivers/core/driver.js';
import type { ForwardQueue } from '@tillbridge/agent/journal/forward-queue.js';
import type { Journal } from '@tillbridge/agent/journal/journal.js';
import type { RecordAges } from '@tillbridge/agent/sale/offline/record-ages.js';
import type { TimeFloor } from '@tillbridge/agent/sale/offline/time-floor.js';
import type { SaleService } from '@tillbridge/agent/sale/service/sale-service.js';
import type { StorePolicySource } from '@tillbridge/agent/uplink/store-policy-keeper.js';
import type { Uplink } from '@tillbridge/agent/uplink/uplink.js';
import type { Acquirer } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { BridgeSocket } from '@tillbridge/gateway/core/bridge/bridge-socket.js';
import type { BridgeLimits } from '@tillbridge/gateway/core/bridge/limits/bridge-limits.js';
import type { Gate } from '@tillbridge/gateway/core/payments/gates/gate.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { DeliverDeps } from '@tillbridge/gateway/features/webhooks/deliver.js';
import type { Owner } from '@tillbridge/gateway/kernel/nodes/node-lease.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import type { SecurityModule } from '@tillbridge/gateway/security/module/security-module.js';
import type { JournalDiskBug } from '../disk/disk-journal.js';
import type { BackOffice } from '../sharing/back-office.js';

/**
 * What a deliberate bug changes: each part stands between the real core and one of its seams. An honest simulation has none.
 * Every function is called once per start of its process; `memory` outlives the process, as a file would.
 */
export interface Mutation {
  readonly journalDisk?: JournalDiskBug;
  /** False: commits are reported and never synced. */
  readonly storeSyncs?: boolean;
  readonly driver?: (driver: TerminalDriver, terminalId: string) => TerminalDriver;
  readonly timeFloor?: (time: TimeFloor) => TimeFloor;
  readonly recordAges?: (ages: RecordAges, time: TimeFloor) => RecordAges;
  readonly journal?: (journal: Journal) => Journal;
  readonly queue?: (queue: ForwardQueue) => ForwardQueue;
  readonly uplink?: (uplink: Uplink, memory: Map<string, unknown>) => Uplink;
  readonly storePolicy?: (source: StorePolicySource) => StorePolicySource;
  readonly saleService?: (service: SaleService) => SaleService;
  readonly store?: (store: Store) => Store;
  /** Of each of two gateways, which then every simulation has. */
  readonly owner?: (owner: Owner) => Owner;
  readonly nodes?: 2;
  readonly security?: (security: SecurityModule) => SecurityModule;
  readonly paymentService?: (service: PaymentService) => PaymentService;
  readonly bridgeSocket?: (socket: BridgeSocket) => BridgeSocket;
  readonly bridgeLimits?: Partial<BridgeLimits>;
  readonly acquirer?: (acquirer: Acquirer) => Acquirer;
  readonly gate?: (gate: Gate) => Gate;
  readonly egress?: (egress: DeliverDeps['egress']) => DeliverDeps['egress'];
  readonly backOffice?: (office: BackOffice) => BackOffice;
}

/** A simulation as it should be. */
export const HONEST: Mutation = {};
