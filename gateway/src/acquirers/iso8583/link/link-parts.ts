import { NamedError } from '@tillbridge/protocol/errors/coded-error.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { NewNumber } from '../decide/decide-exchange.js';
import type { ExchangeRecord } from '../decide/exchange-record.js';

/** The link's own journal: what it says is on disk when a call returns. Several nodes may share it. */
export interface LinkJournal {
  /**
   * Journals an exchange before its bytes leave, as this node's.
   * @throws KnownExchangeError the reference or the number is known
   */
  begin(record: ExchangeRecord): Promise<void>;
  /**
   * Journals what became of it; gives it as it is stored.
   * @throws ChangedExchangeError another node has changed it since it was read
   */
  change(record: ExchangeRecord): Promise<ExchangeRecord>;
  find(reference: string): Promise<ExchangeRecord | undefined>;
  /** The exchange whose request has this number and time. */
  findMessage(number: Pick<NewNumber, 'stan' | 'at'>): Promise<ExchangeRecord | undefined>;
  /** Those that are `sent` or `reversing` and that no other node works on, in the order in which they began. */
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
  /** Whether a code of at least four bytes is right, under the key or one that it took the place of; in constant time. */
  verify(covered: Uint8Array, mac: Uint8Array): Promise<boolean>;
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

/** The journal knows the reference, or the number, already. */
export class KnownExchangeError extends NamedError {}

/** Another node has changed the exchange: it is read again. */
export class ChangedExchangeError extends NamedError {}

/** Nothing left: no host can be reached, or it refused to sign on. The same may be asked elsewhere. */
export class NotSentError extends NamedError {}

/** The request may have been carried out; it is being reversed, or told again. It must not be asked elsewhere. */
export class OutcomeUnknownError extends NamedError {}
