import type { AcquirerRequest } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { BacklogState } from '@tillbridge/gateway/core/bridge/backlog-machine.js';
import type { Bodies } from '@tillbridge/wire/bridge/messages.js';
import type { Action } from '../core/model.js';
import type { AcquirerLedger } from '../gateway/acquirer.js';
import type { ProcessState } from '../gateway/gateway-host.js';
import type { GatewayWork } from '../gateway/gateway-program.js';
import type { StoredRows } from '../gateway/stored-rows.js';
import type { AgentState, UpMessage } from './agent-state.js';

/** A message that leaves the gateway. */
export type DownMessage = {
  [K in 'authorizationAnswer' | 'statusAnswer' | 'acknowledgement' | 'parked']: {
    readonly kind: K;
    readonly body: Bodies[K];
  };
}['authorizationAnswer' | 'statusAnswer' | 'acknowledgement' | 'parked'];

/** The link between agent and gateway: what is on its way has no order. */
export interface Wire {
  readonly isUp: boolean;
  readonly epoch: number;
  readonly up: readonly UpMessage[];
  readonly down: readonly DownMessage[];
}

/** The gateway's process and its session with the agent. */
export interface Gateway {
  readonly isUp: boolean;
  readonly process: ProcessState<GatewayWork>;
  readonly backlog: BacklogState;
}

/** The acquirer, and requests that reach it late or never. */
export interface AcquirerState {
  readonly ledger: AcquirerLedger;
  readonly late: readonly AcquirerRequest[];
}

/** How much may still go wrong, and how often people may still do something. */
export interface Budget {
  /**
   * Ends of agent and gateway, cuts of the link, messages that are lost or repeated, requests to the acquirer and answers of it that are lost or
   * late, deadlines that are over while an answer may still come: of all together.
   */
  readonly faults: number;
  /** A till cancels or reverses, staff resolve a parked sale: of all together. */
  readonly people: number;
}

/** Everything that a sale passes through. */
export interface SaleWorld {
  readonly agent: AgentState;
  readonly wire: Wire;
  readonly gateway: Gateway;
  readonly rows: StoredRows;
  readonly acquirer: AcquirerState;
  readonly budget: Budget;
  /** The promise that a commit has broken. */
  readonly breach?: string;
}

/** What may happen to it: the world after it is known only when it is taken. */
export interface SaleAction extends Action {
  readonly to: () => Promise<SaleWorld> | SaleWorld;
}

/** The world with a little less of a budget. */
export function spent(world: SaleWorld, what: keyof Budget): SaleWorld {
  return { ...world, budget: { ...world.budget, [what]: world.budget[what] - 1 } };
}

/** A message in a few words. */
export function nameOf(message: UpMessage | DownMessage): string {
  switch (message.kind) {
    case 'authorizationRequest':
      return `the request ${message.id}`;
    case 'statusRequest':
      return `the ${message.id}`;
    case 'authorizationAnswer':
      return `the answer to ${message.body.messageId}`;
    case 'statusAnswer':
      return `the status of ${message.body.messageId} (${message.body.state})`;
    case 'acknowledgement':
      return `the acknowledgement of ${message.body.messageId}`;
    case 'parked':
      return `the word that ${message.body.messageId} is parked`;
    default:
      return `the ${message.kind} ${message.id}`;
  }
}
