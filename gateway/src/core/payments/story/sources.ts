import { findAll } from '../../../kernel/store/all-rows.js';
import type {
  AgentCommandRow,
  AgentSessionRow,
  AuthenticationRow,
  DeliveryRow,
  EventRow,
  NodeEndRow,
  ParkedRow,
  PaymentRow,
  ReviewDecisionRow,
  SettlementRecordRow,
  VaultRow,
} from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { type PaymentRows, readPaymentRows } from './payment-rows.js';

/** All that the gateway has of a payment. */
export interface StorySources extends PaymentRows {
  readonly authentications: readonly AuthenticationRow[];
  readonly reviewDecisions: readonly ReviewDecisionRow[];
  /** That card data were sealed, and when. */
  readonly vault: readonly Omit<VaultRow, 'sealed'>[];
  readonly deliveries: readonly DeliveryRow[];
  readonly settlementRecords: readonly SettlementRecordRow[];
  readonly parked: readonly ParkedRow[];
  /** Commands that name the sale; one that reported it holds the report. */
  readonly commands: readonly AgentCommandRow[];
  /** Sessions of the agents, around the time of the payment. */
  readonly sessions: readonly AgentSessionRow[];
  readonly nodeEnds: readonly NodeEndRow[];
}

type Reader = Pick<Store, 'get' | 'find' | 'findAfter' | 'findRange'>;

/** Limits of what is read of one source, by name. */
const SOURCE_LIMITS = { sessions: 200, nodeEnds: 100 } as const;
/** Before the first record and after the last one: sessions and ends of nodes of this time count, in milliseconds. */
const AROUND_MS = 10 * 60_000;

/**
 * Reads what the gateway has of a payment.
 * @param owners entities whose webhook endpoints may be shown; absent: all, for an operator
 * @returns undefined where there is no payment of this id
 * @throws StoreUnavailableError
 */
export async function readStory(
  store: Reader,
  paymentId: string,
  owners?: readonly string[],
): Promise<StorySources | undefined> {
  const rows = await readPaymentRows(store, paymentId);
  if (!rows) return undefined;
  const { payments, intents, events } = rows;
  const ids = [...new Set([...payments.map(({ id }) => id), ...intents.map((intent) => intent.paymentId)])];
  const each = async <T>(read: (id: string) => Promise<readonly T[]>): Promise<T[]> =>
    (await Promise.all(ids.map(read))).flat();
  const one = <T>(row: Promise<T | undefined>): Promise<readonly T[]> =>
    row.then((found) => (found === undefined ? [] : [found]));
  const [authentications, reviewDecisions, settlementRecords, vault, deliveries] = await Promise.all([
    each((id) => one(store.get('authentications', [id]))),
    each((id) => one(store.get('reviewDecisions', [id]))),
    each((id) => store.find('settlementRecords', 'payment', [id])),
    vaultOf(store, payments),
    deliveriesOf(store, events, owners),
  ]);
  return {
    ...rows,
    ...{ authentications, reviewDecisions, settlementRecords, vault, deliveries },
    ...(await storeOf(store, rows)),
  };
}

async function vaultOf(
  store: Reader,
  payments: readonly PaymentRow[],
): Promise<readonly Omit<VaultRow, 'sealed'>[]> {
  const ids = new Set(payments.flatMap(({ vaultId }) => (vaultId === null ? [] : [vaultId])));
  const rows = await Promise.all([...ids].map((id) => store.get('vault', [id])));
  return rows.flatMap((row) => {
    if (!row) return [];
    const { sealed: _, ...shown } = row;
    return [shown];
  });
}

async function deliveriesOf(
  store: Reader,
  events: readonly EventRow[],
  owners: readonly string[] | undefined,
): Promise<readonly DeliveryRow[]> {
  const channels = [...new Set(events.map(({ entityId }) => entityId))];
  const entities = await Promise.all(channels.map((id) => store.get('entities', [id])));
  const above = entities.flatMap((entity) => (entity?.parentId ? [entity.parentId] : []));
  const shown = [...new Set([...channels, ...above])].filter((id) => owners?.includes(id) ?? true);
  const endpoints = await Promise.all(shown.map((id) => store.find('webhookEndpoints', 'entity', [id])));
  const found: DeliveryRow[] = [];
  for (const { id: endpointId } of endpoints.flat())
    for (const { id } of events) found.push(...(await store.find('deliveries', 'event', [endpointId, id])));
  return found;
}

/** What belongs to the store and to the processes: parked messages, commands, sessions, ends of nodes. */
async function storeOf(
  store: Reader,
  { payments, intents }: PaymentRows,
): Promise<Pick<StorySources, 'parked' | 'commands' | 'sessions' | 'nodeEnds'>> {
  const sales = salesOf([...payments, ...intents]);
  const agents = [...new Set(sales.map(([agentId]) => agentId))];
  const times = [...payments, ...intents].map(({ createdAtMs }) => createdAtMs);
  const [from, below] = [Math.min(...times) - AROUND_MS, Math.max(...times) + AROUND_MS];
  const [parked, commands, sessions, nodeEnds] = await Promise.all([
    Promise.all(sales.map((sale) => findAll(store, 'parked', 'sale', sale))),
    Promise.all(sales.map((sale) => findAll(store, 'agentCommands', 'sale', sale))),
    Promise.all(agents.map((agentId) => sessionsOf(store, agentId, from))),
    store.findRange('nodeEnds', 'age', { from, below, limit: SOURCE_LIMITS.nodeEnds }),
  ]);
  return { parked: parked.flat(), commands: commands.flat(), sessions: sessions.flat(), nodeEnds };
}

/** The latest sessions, the first to come first, as far back as the one that stood at a time. */
async function sessionsOf(
  store: Reader,
  agentId: string,
  fromMs: number,
): Promise<readonly AgentSessionRow[]> {
  const newest = await store.findRange('agentSessions', 'primary', {
    equals: [agentId],
    descending: true,
    limit: SOURCE_LIMITS.sessions,
  });
  const first = newest.findIndex(({ createdAtMs }) => createdAtMs < fromMs);
  return (first < 0 ? newest : newest.slice(0, first + 1)).toReversed();
}

/** Agent and till reference of each sale among the rows. */
export function salesOf(
  rows: readonly { readonly agentId: string | null; readonly reference: string | null }[],
): readonly (readonly [agentId: string, reference: string])[] {
  const sales = rows.flatMap(({ agentId, reference }) =>
    agentId === null || reference === null ? [] : [[agentId, reference] as const],
  );
  return [...new Map(sales.map((sale) => [sale.join(' '), sale])).values()];
}
