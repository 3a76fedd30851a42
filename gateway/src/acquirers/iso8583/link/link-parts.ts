import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { NewNumber } from '../decide/decide-exchange.js';
import type { ExchangeRecord } from '../decide/exchange-record.js';

/** The link's own journal: what it says is on disk when a call returns. */
export interface LinkJournal {
  /** Journals an exchange before its bytes leave. Rejects where the reference or the number is known. */
  begin(record: ExchangeRecord): Promise<void>;
  /** Journals what became of it. */
  change(record: ExchangeRecord): Promise<void>;
  find(reference: string): Promise<ExchangeRecord | undefined>;
  /** Those that are `sent` or `reversing`, in the order in which they began. */
  open(): Promise<readonly ExchangeRecord[]>;
}

/** Gives numbers for messages. No two messages of one acquirer have the same number and time, whatever node makes them. */
export interface NumberSource {
  next(): Promise<NewNumber>;
}

/** Authentication codes under the key that is shared with the acquirer; the key stays where it is. */
export interface MessageSeal {
  /** The whole code of what it covers. */
  mac(covered: Uint8Array): Promise<Uint8Array>;
}

/** Opens a connection to one of the acquirer's hosts. Rejects where that cannot be reached. */
export type HostConnector = () => Promise<BytePipe>;

/** What the link counts and logs; reasons never hold a value of a message. */
export interface LinkObserver {
  /** Bytes that are no message of the host, a wrong code, an answer to nothing. */
  bad(reason: string): void;
  /** An approval came after its reversal. */
  lateApproval(reference: string): void;
  /** A fault of the link itself. */
  fault(error: unknown): void;
}

/** Nothing left: no host can be reached, or it refused to sign on. The same may be asked elsewhere. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** The request may have been carried out; it is being reversed. It must not be asked elsewhere. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}
