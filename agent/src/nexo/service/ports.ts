import type { MessageHeader } from '@tillbridge/protocol/nexo/header.js';
import type { NexoRequest } from '@tillbridge/protocol/nexo/message.js';
import type { NexoResponse } from '@tillbridge/protocol/nexo/response.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { AgentLog } from '../../log/log.js';
import type { SaleService } from '../../sale/service/sale-service.js';
import type { TillRequests } from '../requests/till-requests.js';
import type { Sessions } from './sessions.js';
import type { Terminals } from './terminals.js';

/** A card that is read for a till now. */
export interface Acquisition {
  readonly saleId: string;
  readonly serviceId: string;
}

/** What the service works with. */
export interface NexoPorts {
  readonly sales: SaleService;
  readonly requests: TillRequests;
  readonly sessions: Sessions;
  readonly terminals: Terminals;
  /** Cards that are read for tills now, by terminal. */
  readonly acquisitions: Map<string, Acquisition>;
  /** Currency of the store. */
  readonly currency: string;
  /** Where a day of the store begins, by an IANA name. */
  readonly timeZone: string;
  /** Tag 9F16. */
  readonly merchantId: string;
  /** Version of the agent. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: AgentLog;
}

/** What stands beside the header of a response. */
export interface ResponseBody {
  readonly Response: NexoResponse;
}

/** Answers one category of requests; nothing where the protocol has no response. */
export type Handler = (request: NexoRequest, ports: NexoPorts) => Promise<object | undefined>;

/** The ServiceID of a header; of a Service it is there. */
export function serviceId({ ServiceID = '' }: MessageHeader): string {
  return ServiceID;
}
