import type { CompleteOutcome } from '@tillbridge/agent/drivers/core/driver.js';
import type { ForwardQueue, StreamEnvelope } from '@tillbridge/agent/journal/forward-queue.js';
import type { Journal, JournalRow } from '@tillbridge/agent/journal/journal.js';
import type { SaleOutcome } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { Live, SaleTimer, SensitiveData } from '@tillbridge/agent/sale/machine/state/events.js';
import type { SalePolicy } from '@tillbridge/agent/sale/machine/state/policy.js';
import type { SenderState } from '@tillbridge/agent/uplink/stream-sender.js';
import type { LiveEnvelope } from '@tillbridge/agent/uplink/uplink.js';

/** What a terminal does. */
export type TerminalStage =
  | { readonly at: 'idle' }
  | { readonly at: 'reading'; readonly cancelled?: true }
  /** The card has the answer, and has not given its second cryptogram. */
  | { readonly at: 'completing'; readonly with: 'approved' | 'declined' | 'unable-to-go-online' };

/** An agent with one sale on one terminal. */
export interface AgentState {
  readonly isUp: boolean;
  /** On disk. */
  readonly rows: readonly JournalRow[];
  /** Card data of messages, by their ids; on disk, too. */
  readonly blobs: Readonly<Record<string, SensitiveData>>;
  /** In memory. */
  readonly live: Live;
  readonly isReading: boolean;
  /** The request was given to the uplink, and the sale has not dealt with that yet: whether any byte of it may leave. */
  readonly sent?: boolean;
  readonly timers: readonly SaleTimer[];
  readonly sender: SenderState;
  readonly terminal: TerminalStage;
  /** What the till was shown as the end of the sale. */
  readonly shown: SaleOutcome | null;
  /** How often the request was given to the socket. */
  readonly requests: number;
  /** The card has taken an approval: it gave a TC. */
  readonly gaveTc: boolean;
}

/** Where a deliberate bug may stand: between the agent's code and what it stands on. */
export interface AgentSeams {
  readonly journal?: (journal: Journal) => Journal;
  readonly queue?: (queue: ForwardQueue) => ForwardQueue;
  /** What the driver reports of what the card did with an answer. */
  readonly completes?: (outcome: CompleteOutcome, result: TerminalStage) => CompleteOutcome;
  /** A status request that leaves; `request`: the authorization that it is about. */
  readonly asks?: (status: LiveEnvelope, request: LiveEnvelope) => LiveEnvelope;
  /** What a till is shown when it cancels. */
  readonly showsCancelled?: true;
}

/** What is explored of an agent. */
export interface AgentRules {
  readonly policy: SalePolicy;
  readonly seams: AgentSeams;
}

/** A message that leaves the agent. */
export type UpMessage = LiveEnvelope | StreamEnvelope;
