import type { IntentRow, LinkExchangeRow, PaymentRow } from '../../../kernel/store/rows.js';
import { wholeReference } from '../../acquirers/iso8583/rules/parts.js';
import { referencesOfIntent, referencesOfPayment } from './references.js';
import type { StorySources } from './sources.js';

/** A row that is about a payment, one that is about a message of an agent, and one that is about a sale of a till. */
type OfPayment = { readonly paymentId: string | null };
type OfMessage = { readonly agentId: string; readonly messageId: string };
type OfSale = { readonly agentId: string; readonly reference: string | null };

/** The rows of a payment, of what is linked with it and of the same sale of a till, within one tenant; each once. Pure. */
export function ofFamily(all: StorySources, entityId: string): StorySources {
  const isOwn = (row: { readonly entityId: string }): boolean => row.entityId === entityId;
  const ids = linkedIds(all.paymentId, [
    ...all.payments.filter(isOwn),
    ...all.intents.filter(isOwn).map((intent) => ({ ...intent, id: intent.paymentId, referencedId: null })),
  ]);
  const payments = once(
    all.payments.filter((row) => isOwn(row) && ids.has(row.id)),
    ({ id }) => id,
  );
  const intents = once(
    all.intents.filter((row) => isOwn(row) && ids.has(row.paymentId)),
    ({ id }) => id,
  );
  const { has, hasMessage, hasSale, hasAgent, hasExchange, hasCard } = membersOf(payments, intents);
  const events = once(
    all.events.filter((row) => isOwn(row) && has(row)),
    ({ id }) => id,
  );
  const eventIds = new Set(events.map(({ id }) => id));
  const ownOf = <Row extends OfPayment & { readonly entityId: string }>(
    rows: readonly Row[],
    keyOf: (row: Row) => string = ({ paymentId }) => paymentId ?? '',
  ): readonly Row[] =>
    once(
      rows.filter((row) => isOwn(row) && has(row)),
      keyOf,
    );
  const messageKey = ({ agentId, messageId }: OfMessage): string => `${agentId} ${messageId}`;
  return {
    ...all,
    ...{ payments, intents, events },
    inbox: once(all.inbox.filter(hasMessage), messageKey),
    tombstones: once(all.tombstones.filter(hasMessage), messageKey),
    decisions: ownOf(all.decisions, ({ paymentId, position }) => `${paymentId} ${position}`),
    waits: ownOf(all.waits),
    reviews: ownOf(all.reviews),
    reviewDecisions: ownOf(all.reviewDecisions),
    authentications: once(
      all.authentications.filter((row) => isOwn(row) && has({ paymentId: row.id })),
      ({ id }) => id,
    ),
    exchanges: once(all.exchanges.filter(hasExchange), ({ reference }) => reference),
    vault: once(all.vault.filter(hasCard), ({ id }) => id),
    deliveries: once(
      all.deliveries.filter(({ eventId }) => eventIds.has(eventId)),
      ({ endpointId, sequence }) => `${endpointId} ${sequence}`,
    ),
    settlementRecords: once(all.settlementRecords.filter(has), ({ id }) => id),
    parked: once(all.parked.filter(hasSale), messageKey),
    commands: once(all.commands.filter(hasSale), ({ id }) => id),
    sessions: once(all.sessions.filter(hasAgent), ({ agentId, epoch }) => `${agentId} ${epoch}`).toSorted(
      (one, other) => one.epoch - other.epoch,
    ),
  };
}

type Linked = Pick<PaymentRow, 'id' | 'rootId' | 'referencedId' | 'agentId' | 'reference'>;

/** Ids of the payments that a payment is linked with, over all steps. */
function linkedIds(paymentId: string, rows: readonly Linked[]): ReadonlySet<string> {
  const found = new Set([paymentId]);
  const sales = new Set<string>();
  for (let before = -1; before !== found.size + sales.size; ) {
    before = found.size + sales.size;
    for (const { id, rootId, referencedId, agentId, reference } of rows) {
      const above = [rootId, referencedId].filter((each) => each !== null);
      const sale = agentId === null || reference === null ? undefined : `${agentId} ${reference}`;
      const isLinked =
        [id, ...above].some((each) => found.has(each)) || (sale !== undefined && sales.has(sale));
      if (!isLinked) continue;
      for (const each of [id, ...above]) found.add(each);
      if (sale !== undefined) sales.add(sale);
    }
  }
  return found;
}

/** What belongs to these payments and requests. */
function membersOf(payments: readonly PaymentRow[], intents: readonly IntentRow[]) {
  const rows = [...payments, ...intents];
  const ids = new Set([...payments.map(({ id }) => id), ...intents.map(({ paymentId }) => paymentId)]);
  const messages = new Set(rows.map(({ agentId, messageId }) => `${agentId} ${messageId}`));
  const sales = new Set(rows.map(({ agentId, reference }) => `${agentId} ${reference}`));
  const agents = new Set(rows.map(({ agentId }) => agentId));
  const references = new Set([
    ...payments.flatMap(referencesOfPayment),
    ...intents.flatMap(referencesOfIntent),
  ]);
  const cards = new Set(payments.map(({ vaultId }) => vaultId));
  return {
    has: ({ paymentId }: OfPayment): boolean => paymentId !== null && ids.has(paymentId),
    hasMessage: ({ agentId, messageId }: OfMessage): boolean => messages.has(`${agentId} ${messageId}`),
    hasSale: ({ agentId, reference }: OfSale): boolean =>
      reference !== null && sales.has(`${agentId} ${reference}`),
    hasAgent: ({ agentId }: { readonly agentId: string }): boolean => agents.has(agentId),
    hasExchange: ({ reference, original }: LinkExchangeRow): boolean =>
      references.has(wholeReference(reference)) || (original !== null && references.has(original)),
    hasCard: ({ id }: { readonly id: string }): boolean => cards.has(id),
  };
}

/** Each row once, in the order of their keys: what is made of them hangs on no other. */
function once<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const byKey = [...new Map(rows.map((row) => [keyOf(row), row]))];
  return byKey.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
