import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { TillRight } from '../../access/rights.js';
import type { LimitedLog } from '../../log/limited-log.js';
import type { StoreConfig } from '../../sale/receipts/store.js';
import type { SaleService } from '../../sale/service/sale-service.js';
import type { Command, Registration } from '../messages/commands.js';
import type { Outgoing } from '../messages/outgoing.js';
import type { ResultCode } from '../messages/result-codes.js';
import type { ZvtLine, ZvtRequests } from '../requests/zvt-requests.js';

/** A till that speaks ZVT, the terminal that it sells on, and what it may do. */
export interface ZvtTill extends ZvtLine {
  readonly rights: readonly TillRight[];
}

/** What the service works with. */
export interface ZvtPorts {
  readonly sales: SaleService;
  readonly requests: ZvtRequests;
  readonly store: StoreConfig;
  /** Of the store; the one that tills sell in. */
  readonly currency: string;
  /** Tag 9F16. */
  readonly merchantId: string;
  /** Version of the agent. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Pick<LimitedLog, 'warn' | 'error'>;
}

/** How a request ended, as messages to the till; the last one gives it its turn. */
export interface Report {
  readonly messages: readonly Outgoing[];
  /** Money was approved, so that a till which cannot issue its goods may have it reversed. */
  readonly canWithhold: boolean;
  /** The outcome will not change: a till that acknowledges it knows how its request ended. */
  readonly isFinal: boolean;
}

/** A request that was accepted. */
export interface RunningRequest {
  readonly kind: 'running';
  /** Never rejects. */
  readonly report: Promise<Report>;
  /** The sale whose progress the till is shown. */
  readonly reference?: string;
  /** Sends the terminal the command to stop; absent where nothing can be stopped. */
  cancel?(): Promise<void>;
  /** Reverses what was approved; the report of that. */
  withhold?(): Promise<Report>;
  /** The till has acknowledged the report. */
  acknowledge?(): Promise<void>;
}

/** What became of a request at first. */
export type Begun = { readonly kind: 'refused'; readonly code: ResultCode } | RunningRequest;

/** A request of a registered till. */
export interface TillCall<C extends Command = Command> {
  readonly till: ZvtTill;
  readonly registration: Registration | undefined;
  readonly command: C;
}
