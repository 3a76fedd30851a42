import type {
  ClaimRow,
  InboxRow,
  IntentRow,
  PaymentRow,
  WaitRow,
} from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';

/** The rows of a family of payments as the changes so far have made them. */
export interface FamilyState {
  readonly payments: ReadonlyMap<string, PaymentRow>;
  readonly claims: ReadonlyMap<string, ClaimRow>;
  readonly inbox: ReadonlyMap<string, InboxRow>;
}

/** Before the first payment. */
export const NO_ROWS: FamilyState = { payments: new Map(), claims: new Map(), inbox: new Map() };

/** The key of a claim, or of a stored answer. */
export function keyOfAgent(agentId: string, name: string): string {
  return JSON.stringify([agentId, name]);
}

/** The rows after changes of the gateway's own decisions; of other tables nothing is kept. */
export function applied(state: FamilyState, changes: readonly Change[]): FamilyState {
  const payments = new Map(state.payments);
  const claims = new Map(state.claims);
  const inbox = new Map(state.inbox);
  for (const change of changes) {
    if (change.op !== 'insert' && change.op !== 'update') continue;
    if (change.table === 'payments') payments.set((change.row as PaymentRow).id, change.row as PaymentRow);
    if (change.table === 'claims') {
      const row = change.row as ClaimRow;
      claims.set(keyOfAgent(row.agentId, row.reference), row);
    }
    if (change.table === 'inbox') {
      const row = change.row as InboxRow;
      inbox.set(keyOfAgent(row.agentId, row.messageId), row);
    }
  }
  return { payments, claims, inbox };
}

/** Columns of a payment that its gateway decides. What the request or the acquirer stated is taken from the row. */
const DECIDED = [
  ...(['type', 'state', 'referencedId', 'rootId', 'amountMinor', 'currency', 'authorizedMinor'] as const),
  ...(['capturedMinor', 'refundedMinor', 'chargedBackMinor', 'reversedMinor', 'captureCount'] as const),
  ...(['maxCaptures', 'capturesClosed', 'resultCode', 'captureReference'] as const),
] as const satisfies readonly (keyof PaymentRow)[];

/** How a stored payment differs from what the rows before lead to, in words; undefined where it does not. */
export function paymentDifference(stored: PaymentRow, led: PaymentRow | undefined): string | undefined {
  if (!led) return 'nothing leads to it';
  const words = DECIDED.flatMap((column) =>
    stored[column] === led[column]
      ? []
      : [`${column} is ${String(stored[column])}, the rows before lead to ${String(led[column])}`],
  );
  return words.length === 0 ? undefined : words.join('; ');
}

/** A payment in a few words. */
export function paymentText(row: PaymentRow): string {
  const { id, type, state, amountMinor, currency, authorizedMinor, capturedMinor } = row;
  const { refundedMinor, reversedMinor, chargedBackMinor } = row;
  const amounts = [
    ['authorized', authorizedMinor],
    ['captured', capturedMinor],
    ['refunded', refundedMinor],
    ['reversed', reversedMinor],
    ['charged back', chargedBackMinor],
  ] as const;
  const shown = amounts.filter(([, minor]) => minor > 0).map(([name, minor]) => `${name} ${minor}`);
  return [`${type} ${id} of ${amountMinor} ${currency}: ${state}`, ...shown].join(', ');
}

/** What a family has in addition to its payments. */
export interface FamilyRows {
  readonly intents: readonly IntentRow[];
  readonly claims: readonly ClaimRow[];
  readonly inbox: readonly InboxRow[];
  readonly waits: readonly WaitRow[];
}
