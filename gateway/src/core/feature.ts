import type { AdmitStranger } from '@tillbridge/platform/net/admit-strangers.js';
import type { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Alerts } from '../kernel/alerts/alerts.js';
import type { gatewayFiles } from '../kernel/data-folder/gateway-files.js';
import type { Egress } from '../kernel/egress/egress.js';
import type { EgressRules } from '../kernel/egress/target.js';
import type { EntityEvents } from '../kernel/events/entity-events.js';
import type { Transport } from '../kernel/http/transport/redirect.js';
import type { NodeLease } from '../kernel/nodes/node-lease.js';
import type { Background } from '../kernel/workers/background.js';
import type { RetentionRules } from '../kernel/workers/retention.js';
import type { Fingerprint } from '../security/tokens/fingerprint.js';
import type { ShopperAddresses } from '../security/tokens/shopper-addresses.js';
import type { RowSeal } from '../security/vault/row-seal.js';
import type { WaitSeal } from '../security/vault/wait-seal.js';
import type { AcquirerRecord, TransactionRecord } from './acquirers/acquirer.js';
import type { InboxSource } from './inbox/inbox-source.js';
import type { PaymentRouteDeps } from './payment-api/payment-deps.js';
import type { Chargebacks } from './payments/chargebacks/chargebacks.js';
import type { Gate } from './payments/gates/gate.js';
import type { BinTable } from './payments/rules/bin-table.js';
import type { Registrations } from './registrations/registrations.js';

/** What a gateway gives to its features; routes of a feature work with it, too. */
export interface Kernel extends PaymentRouteDeps {
  readonly files: ReturnType<typeof gatewayFiles>;
  readonly node?: NodeLease;
  readonly alerts: Alerts;
  /** Makes the events for merchants. */
  readonly events: EntityEvents;
  /** What the gateway calls others through, and what it may call. */
  readonly egress: Egress;
  readonly egressRules: EgressRules;
  readonly transport: Transport;
  /** TLS of our own; absent where another ends it. */
  readonly certificate?: Pick<TlsCertificate, 'pair'>;
  readonly fingerprint: Fingerprint;
  readonly rowSeal: RowSeal;
  readonly waitSeal: WaitSeal;
  readonly shopper: ShopperAddresses;
  readonly binTable: BinTable;
  /** The acquirer simulator's own record; test mode only. */
  readonly record?: TransactionRecord & AcquirerRecord;
  readonly registrations: Registrations;
  readonly chargebacks: Pick<Chargebacks, 'round' | 'book'>;
  /** Called with faults that no caller sees; the error holds no card data. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** What a feature hands to the app. Hooks, routes and gates come in the order of the list of features. */
export interface Feature {
  /** Gates that payments pass before the acquirer's authorization. */
  readonly gate?: Gate;
  /** Adds hooks that see every request and its answer. */
  readonly watch?: (server: FastifyInstance) => void;
  /** Adds hooks that find out whose a request is that has no token. */
  readonly credentials?: (server: FastifyInstance, admitStranger: AdmitStranger) => void;
  /** Adds hooks that complete forms before they are read. */
  readonly forms?: (server: FastifyInstance) => void;
  readonly routes?: (server: FastifyInstance) => void;
  /** What of its tables needs a person. */
  readonly inbox?: readonly InboxSource[];
  /** Begins what no request waits for. */
  readonly work?: (background: Background) => Promise<void> | void;
  /** Shows its numbers. */
  readonly metrics?: (registry: Registry) => void;
  /** How long its rows are kept that only guard against what comes late. */
  readonly retention?: RetentionRules;
}
