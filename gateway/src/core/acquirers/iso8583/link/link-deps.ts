import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Change } from '../../../../kernel/store/store.js';
import type { Sealed } from '../../../../security/vault/vault.js';
import type { NewNumber } from '../rules/decide-exchange.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';

/** The link's own journal: a call returns when its rows are on disk. Several nodes may share it. */
export interface LinkJournal {
  /**
   * Journals an exchange before its bytes leave, as this node's.
   * @param sameCommit what is stored in the same commit
   * @throws DuplicateExchangeError the reference or the number is known; CommitConflict what is stored with it was changed
   */
  begin(record: ExchangeRecord, sameCommit?: readonly Change[]): Promise<void>;
  /**
   * Journals what became of it, at a time; gives it as it is stored.
   * @throws ChangedExchangeError another node has changed it since it was read
   */
  change(record: ExchangeRecord, atMs: number): Promise<ExchangeRecord>;
  find(reference: string): Promise<ExchangeRecord | undefined>;
  /** The exchange whose request has this number and time. */
  findMessage(number: Pick<NewNumber, 'stan' | 'at'>): Promise<ExchangeRecord | undefined>;
  /** Those that are `sent`, `advice-pending` or `reversing` and that no other node works on, in the order in which they began. */
  open(): Promise<readonly ExchangeRecord[]>;
}

/** Gives numbers for messages. No two messages of one acquirer have the same number and time, whatever node makes them. */
export interface NumberSource {
  next(): Promise<NewNumber>;
}

/** Authentication codes under keys that are shared with the acquirer; the keys stay where they are. */
export interface MessageSeal {
  /** Adds the key name of its MAC to a message before it is sent; absent: messages name no key. */
  prepare?(message: ExchangeMessage): Promise<ExchangeMessage>;
  /** The whole code of what it covers of a message. */
  mac(covered: Uint8Array, message: ExchangeMessage): Promise<Uint8Array>;
  /** Whether a code of at least four bytes is right, under the key or one that it took the place of; in constant time. */
  verify(covered: Uint8Array, mac: Uint8Array, message: ExchangeMessage): Promise<boolean>;
}

/** Stores the advices of stand-ins until the host answers them: sealed, each for its exchange alone. */
export interface AdviceSeal {
  seal(reference: string, advice: ExchangeMessage): Sealed;
  /** @throws VaultError */
  open(reference: string, sealed: Sealed): Promise<ExchangeMessage>;
}

/** Number and expiry of a card, as messages carry them. */
export type ExchangeCard = Pick<ExchangeMessage, 'pan' | 'expiry'>;

/** Reads the card of an exchange from the vault; undefined where the vault has it no more. @throws StoreUnavailableError */
export type CardLookup = (
  exchange: Pick<ExchangeRecord, 'reference' | 'purpose' | 'sealed'>,
) => Promise<ExchangeCard | undefined>;

/** Opens a connection to one of the acquirer's hosts. Rejects where that cannot be reached. */
export type HostConnector = () => Promise<BytePipe>;

/** What the link counts and logs; reasons never hold a value of a message. */
export interface LinkObserver {
  /** Bytes that are no message of the host, a wrong code, an answer to nothing. */
  bad(reason: string): void;
  /** An approval came after its reversal. */
  lateApproval(reference: string): void;
  /** So many parameters of a request's details do not fit into its message. */
  detailsLeftOut(reference: string, count: number): void;
  /** A request does not fit into a message of the dialect, and was not sent; the reason names the field. */
  notWritten(reference: string, reason: string): void;
  /** The vault has the card of a follow-up no more: it is sent with the references of its original alone. */
  withoutCard(reference: string): void;
  /** A fault of the link itself. */
  fault(error: unknown): void;
}

/** The journal knows the reference, or the number, already. */
export class DuplicateExchangeError extends NamedError {}

/** Another node has changed the exchange: it is read again. */
export class ChangedExchangeError extends NamedError {}

/** Nothing left: no host can be reached, or it refused to sign on. The caller may use another host. */
export class NotSentError extends NamedError {}

/** Nothing left, because no host of the acquirer can be reached now. */
export class HostDownError extends NotSentError {}

/** The request may have been carried out; it is being reversed, or sent again. It must not be sent elsewhere. */
export class OutcomeUnknownError extends NamedError {}
