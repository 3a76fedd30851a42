import type { PaymentService } from '../../core/payments/payment-service.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

type Reads = Pick<Store, 'get' | 'find'>;
/** Ids of payments that an id of some kind leads to. */
type Lookup = (
  store: Reads,
  id: string,
  owners: readonly string[],
) => Promise<readonly (string | null | undefined)[]>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const RRN = /^[0-9A-Z]{12}$/;

/** Ids by which a payment can be found, each with where it leads. */
const LOOKUPS: readonly Lookup[] = [
  // Its own, or one that has no outcome yet.
  async (_store, id) => [id],
  // The acquirer reference.
  async (store, id) => [(await store.get('intents', [id]))?.paymentId],
  async (store, id) => [(await store.get('events', [id]))?.paymentId],
  async (store, id) => [(await store.get('settlementRecords', [id]))?.paymentId],
  async (store, id) => [(await store.get('checkouts', [id]))?.postedId],
  // `threeDSServerTransID`.
  async (store, id) => (await store.find('authentications', 'transaction', [id])).map((row) => row.id),
  // The retrieval reference number of an acquirer's host.
  async (store, id) => {
    if (!RRN.test(id)) return [];
    const exchanges = await store.find('linkExchanges', 'rrn', [id]);
    const intents = await Promise.all(exchanges.map(({ reference }) => store.get('intents', [reference])));
    return intents.map((intent) => intent?.paymentId);
  },
  // The message of an agent.
  async (store, id, owners) => {
    if (!UUID.test(id)) return [];
    const agents = await Promise.all(owners.map((owner) => store.find('agents', 'entity', [owner])));
    const intents = await Promise.all(
      agents.flat().map((agent) => store.find('intents', 'message', [agent.id, id], { limit: 1 })),
    );
    return intents.flat().map(({ paymentId }) => paymentId);
  },
];

/** The payments of the entities that an id of any kind leads to, each once. @throws StoreUnavailableError */
export async function findById(
  { store, service }: { readonly store: Reads; readonly service: Pick<PaymentService, 'lookUp'> },
  owners: readonly string[],
  id: string,
): Promise<readonly PaymentRow[]> {
  const ids = (await Promise.all(LOOKUPS.map((lookup) => lookup(store, id, owners)))).flat();
  const found = new Map<string, PaymentRow>();
  for (const each of new Set(ids.filter((one) => typeof one === 'string'))) {
    const payment = await service.lookUp(each, async (ownerId) => owners.includes(ownerId));
    if (payment) found.set(payment.id, payment);
  }
  return [...found.values()].sort((one, other) => other.createdAtMs - one.createdAtMs);
}
