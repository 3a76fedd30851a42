import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { LimitedLog } from '../../log/limited-log.js';
import type { StoreConfig } from '../../sale/receipts/store.js';
import type { SaleService } from '../../sale/service/sale-service.js';
import type { NexoCaller } from '../keys/caller.js';
import type { MessageHeader } from '../messages/header.js';
import type { NexoRequest } from '../messages/message.js';
import type { NewTillRequest, TillRequests } from '../requests/till-requests.js';
import type { Sessions } from './sessions.js';
import type { Terminals } from './terminals.js';

/** A till's command outside a sale that runs on a terminal now, and can be aborted. */
export interface RunningWork {
  readonly category: 'CardAcquisition' | 'Input';
  readonly saleId: string;
  /** The ServiceID of its request, or the DeviceID of a Device request. */
  readonly id: string;
}

/** What the service works with. */
export interface NexoPorts {
  readonly sales: SaleService;
  readonly requests: TillRequests;
  readonly sessions: Sessions;
  readonly terminals: Terminals;
  /** Running commands outside sales, by terminal. */
  readonly works: Map<string, RunningWork>;
  /** The payment that begins or runs, by terminal. */
  readonly begins: Map<string, NewTillRequest>;
  /** Reversals of all of a sale that run now: the ServiceID of each, by the reference of its sale. */
  readonly reversals: Map<string, string>;
  /** Currency of the store. */
  readonly currency: string;
  /** What receipts show of the store, and where its day begins. */
  readonly store: StoreConfig;
  /** Tag 9F16. */
  readonly merchantId: string;
  /** Version of the agent. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Pick<LimitedLog, 'warn' | 'error'>;
}

/** A request, and who has sent it. */
export interface TillCall extends NexoRequest {
  readonly caller: NexoCaller;
}

/** Answers one category of requests; nothing where the protocol has no response. */
export type Handler = (call: TillCall, ports: NexoPorts) => Promise<object | undefined>;

/** The ServiceID of a header; of a Service it is there. */
export function serviceId({ ServiceID = '' }: MessageHeader): string {
  return ServiceID;
}

/** Identifies a Service or a Device request. */
export function workId({ ServiceID, DeviceID = '' }: MessageHeader): string {
  return ServiceID ?? DeviceID;
}
