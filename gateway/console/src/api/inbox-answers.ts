import type { InboxKind } from '@tillbridge/gateway/kernel/api/catalogue/administration/inbox.js';

export type { InboxKind } from '@tillbridge/gateway/kernel/api/catalogue/administration/inbox.js';

/** What a person sends with an action. */
export interface InboxParameter {
  readonly name: string;
  readonly required: boolean;
  /** The values that it may have; absent: a text. */
  readonly values?: readonly string[];
  /** What is meant, where that is known. */
  readonly value?: string;
}

/** A thing that needs a person, with its one action. */
export interface InboxItem {
  readonly kind: InboxKind;
  readonly id: string;
  readonly severity: 'critical' | 'warning';
  readonly entityId?: string;
  readonly agentId?: string;
  readonly paymentId?: string;
  readonly text: string;
  readonly detail: string;
  /** ISO 8601. */
  readonly since: string;
  readonly until?: string;
  readonly acknowledgedAt?: string;
  readonly note?: string;
  readonly action: {
    readonly name: string;
    readonly text: string;
    readonly money: string;
    readonly right: 'administration' | 'operator';
    readonly parameters: readonly InboxParameter[];
  };
}

/** A page of the inbox. */
export interface InboxPage {
  readonly items: readonly InboxItem[];
  readonly counts: Readonly<Partial<Record<InboxKind, number>>>;
  readonly next?: string;
}

/** What became of an action. */
export interface InboxResolution {
  readonly outcome: 'done' | 'already';
  readonly state: string;
}
