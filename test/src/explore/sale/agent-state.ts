import type { CardData, CompleteOutcome } from '@tillbridge/agent/drivers/core/driver.js';
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

/** A terminal with its sale, its till and its card. */
export interface Place {
  readonly terminalId: string;
  readonly reference: string;
  /** Begins the ids of its messages. */
  readonly ids: string;
  readonly card: CardData;
  /** What the card gives with its last cryptogram. */
  readonly tcData: Uint8Array;
  readonly aacData: Uint8Array;
}

/** What an agent and its surroundings have of one sale in addition to its rows. */
export interface SaleAtPlace {
  /** In memory. */
  readonly live: Live;
  readonly isReading: boolean;
  /** The request was given to the uplink, and the sale has not dealt with that yet: whether any byte of it may leave. */
  readonly sent?: boolean;
  readonly timers: readonly SaleTimer[];
  readonly terminal: TerminalStage;
  /** What the till was shown as the end of the sale. */
  readonly shown: SaleOutcome | null;
  /** How often the request was given to the socket. */
  readonly requests: number;
  /** The card has taken an approval: it gave a TC. */
  readonly gaveTc: boolean;
}

/** An agent with a sale on each of its terminals. */
export interface AgentState {
  readonly isUp: boolean;
  /** On disk. */
  readonly rows: readonly JournalRow[];
  /** Card data of messages, by their ids; on disk, too. */
  readonly blobs: Readonly<Record<string, SensitiveData>>;
  readonly sender: SenderState;
  /** Of each place, in the order of {@link PLACES}. */
  readonly sales: readonly SaleAtPlace[];
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
  /** Cards do what they may, or go online and take each approval. */
  readonly cards: 'any' | 'willing';
  readonly seams: AgentSeams;
}

/** A message that leaves the agent. */
export type UpMessage = LiveEnvelope | StreamEnvelope;
