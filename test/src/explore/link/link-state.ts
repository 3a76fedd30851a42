import type { ExchangeEvent } from '@tillbridge/gateway/core/acquirers/iso8583/rules/decide-exchange.js';
import type { ExchangeRecord } from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Parts } from '../core/canonical.js';
import type { Action } from '../core/model.js';
import type { HostState } from './host.js';

/** One exchange of a link with its host, and all that is on its way between them. */
export interface Exchange {
  /** As it is journaled; absent: it was not begun. */
  readonly record?: ExchangeRecord;
  /** Which answer the process waits for; absent: none, or its process has ended. */
  readonly waits?: 'request' | 'forwarded';
  readonly up: readonly ExchangeMessage[];
  readonly down: readonly ExchangeMessage[];
  readonly host: HostState;
  /** What the caller, the gateway's payment service, knows of its request. */
  readonly caller: 'not-begun' | 'waits' | 'approved' | 'declined' | 'unknown';
  /** The caller has requested the reversal. */
  readonly takenBack: boolean;
  /** What the exchange did against its promises. */
  readonly breach?: string;
}

/** A link with its exchanges, and how many faults may still come. */
export interface LinkState {
  readonly exchanges: readonly Exchange[];
  readonly isDown: boolean;
  readonly faults: number;
  readonly crashes: number;
  /** Where days end: when it is, the settlement day of the host, and whether requests still begin. */
  readonly moment?: { readonly nowMs: number; readonly day: string; readonly begins: boolean };
}

/** What may happen to a link: the state after it is known only when it is taken. */
export interface LinkAction extends Action {
  readonly to: () => LinkState;
}

/** Where a deliberate bug may stand: between the code that decides and what it stands on. */
export interface LinkSeams {
  decide(record: ExchangeRecord, event: ExchangeEvent): ExchangeRecord;
  /** A message that leaves; undefined: it is not sent. `first`: the same, as it was sent for the first time. */
  sends(message: ExchangeMessage, exchange: Exchange): ExchangeMessage | undefined;
  /** An answer that arrives; undefined: it is ignored. */
  receives(answer: ExchangeMessage, exchange: Exchange): ExchangeMessage | undefined;
  /** Whether a difference of the totals leads to a search for what has no answer. */
  readonly searches: boolean;
}

/** Parts of states by their content. */
export type LinkParts = Parts;
