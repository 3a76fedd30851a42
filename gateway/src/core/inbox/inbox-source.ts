import type { AlertState } from '../../kernel/alerts/alert-list.js';
import type { AlertCode } from '../../kernel/alerts/alert-table.js';
import type { InboxKind } from '../../kernel/api/catalogue/administration/inbox.js';
import type { TokenRight } from '../../kernel/api/token-rights.js';
import type { Values } from '../../kernel/http/request/administration.js';
import type { AcquirerFileRow, AlertRow, ParkedRow, ReviewDecisionRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** Limits of the inbox. */
export const INBOX_LIMITS = {
  /** Things that one source shows at once, and more: an answer says where there are more. */
  perSource: 1_000,
} as const;

/** Whose things are looked at. */
export interface InboxScope {
  /** Entities whose things alone there are; absent: those of all, and the gateway's own. */
  readonly owners?: readonly string[];
}

/** What a person sends with an action. */
export interface InboxParameter {
  readonly name: 'note' | 'decision' | 'serial' | 'deviceType' | 'terminalId';
  readonly required: boolean;
  /** The values that it may have; absent: any of its format. */
  readonly values?: readonly string[];
  /** What is meant, where that is known: it need not be sent. */
  readonly value?: string;
}

/** The one action on a thing that needs a person. */
export interface InboxAction {
  readonly name: string;
  /** What it does. */
  readonly text: string;
  /** What it does to the money. */
  readonly money: string;
  /** The right that it needs, in addition to that of the list where they differ. */
  readonly right: Extract<TokenRight, 'administration' | 'operator'>;
  readonly parameters: readonly InboxParameter[];
}

/** A thing that needs a person. Nothing sensitive. */
export interface InboxItem {
  readonly kind: InboxKind;
  /** 32 lowercase hex, of its kind: that of an alert, or of a payment. */
  readonly id: string;
  readonly severity: AlertRow['severity'];
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** Whose it is; null: the gateway's own. */
  readonly entityId: string | null;
  /** The store. */
  readonly agentId?: string;
  readonly paymentId?: string;
  /** When it is decided without a person, milliseconds since 1970. */
  readonly untilMs?: number;
  /** What has happened. */
  readonly text: string;
  /** The values. */
  readonly detail: string;
  /** A person deals with it, and the cause is still there. */
  readonly acknowledged?: { readonly atMs: number; readonly note: string | null };
  readonly action: InboxAction;
}

/** An action that a person requests. */
export interface InboxCall extends InboxScope {
  readonly id: string;
  readonly values: Values;
  /** Who it is, for the audit. */
  readonly actor: string;
  /** Each action commits to it alone: its first commit carries an audit record. */
  readonly store: Store;
  /** @throws RequestRefused where the caller does not have the right of the action */
  readonly require: (right: InboxAction['right']) => void;
}

/** Where a thing stands after an action, in the word of its table. */
export type InboxState =
  | AlertState
  | ParkedRow['state']
  | ReviewDecisionRow['decision']
  | AcquirerFileRow['state'];

/** Things of one kind that need a person. A feature hands over those of its tables; the inbox is a view over them. */
export interface InboxSource {
  readonly kind: InboxKind;
  /** Codes of the alerts that it shows: no other source does. */
  readonly codes?: readonly AlertCode[];
  /** Things of the scope, {@link INBOX_LIMITS} at most. @throws StoreUnavailableError */
  list(scope: InboxScope): Promise<readonly InboxItem[]>;
  /**
   * Carries out the action, by the service that other routes and commands call. Once: a second request commits nothing.
   * @returns where the thing stands by now; undefined for an id that the scope does not have
   * @throws RequestRefused what cannot be done as requested; StoreUnavailableError
   */
  resolve(call: InboxCall): Promise<InboxState | undefined>;
}
