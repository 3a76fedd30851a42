import { auditOf } from '../../kernel/audit/audit.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import type { DeliveryRow, WebhookEndpointRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict } from '../../kernel/store/store.js';
import { findEndpoint } from './change-endpoint.js';
import { enciphered } from './deliver.js';
import type { EncipheredDelivery } from './encipher.js';
import type { WebhookDeps } from './webhook-deps.js';
import { WebhookError } from './webhook-error.js';

export const DELIVERY_LIMITS = {
  /** Rows of one commit: small enough to hold up no payment behind it. */
  batch: 100,
  /** Deliveries that are sent again at once: a time with more is refused. */
  resent: 10_000,
} as const;

/** Which deliveries are sent again: one, or those of events of a time. */
export type Resent =
  | { readonly sequence: number }
  /** Milliseconds since 1970; the end is not in it. */
  | { readonly fromMs: number; readonly toMs: number };

/** A delivery that is fetched. */
interface PendingDelivery extends EncipheredDelivery {
  readonly sequence: number;
}

/** The deliveries of an endpoint above a number, in their order. @throws WebhookError, StoreUnavailableError */
export async function deliveryLog(
  deps: Pick<WebhookDeps, 'store' | 'owners'>,
  id: string,
  after: number,
  limit: number,
): Promise<readonly DeliveryRow[]> {
  await findEndpoint(deps, id);
  return deps.store.findRange('deliveries', 'primary', { equals: [id], from: after + 1, limit });
}

/**
 * Queues deliveries again under their own numbers, as of now; those that wait already stay as they are.
 * @returns how many were queued
 * @throws WebhookError, StoreUnavailableError
 */
export async function resend(deps: WebhookDeps, id: string, wanted: Resent): Promise<number> {
  const { entityId } = await findEndpoint(deps, id);
  const { actor, store } = deps;
  const record = auditOf(deps, {
    actor,
    action: 'webhooks resend',
    subject: id,
    detail: { entityId, ...wanted },
  });
  if ('sequence' in wanted) {
    const row = await store.get('deliveries', [id, wanted.sequence]);
    if (!row) throw new WebhookError('unknown-delivery', `endpoint ${id} has no delivery ${wanted.sequence}`);
    await store.commit([record]);
    return queueAgain(deps, [row]);
  }
  const { batch, resent } = DELIVERY_LIMITS;
  const pageOf = (skip: number, limit: number) =>
    store.findRange('deliveries', 'time', {
      equals: [id],
      from: wanted.fromMs,
      below: wanted.toMs,
      skip,
      limit,
    });
  if ((await pageOf(resent, 1)).length > 0)
    throw new WebhookError('wide-window', `the time has more than ${resent} deliveries: narrow it`);
  await store.commit([record]);
  let queued = 0;
  for (let skip = 0; skip < resent; skip += batch) {
    const rows = await pageOf(skip, batch);
    queued += await queueAgain(deps, rows);
    if (rows.length < batch) break;
  }
  return queued;
}

/** Queues again, as {@link resend} does, all deliveries of an endpoint that were given up. @throws WebhookError, StoreUnavailableError */
export async function resendGivenUp(deps: WebhookDeps, id: string): Promise<number> {
  const { entityId } = await findEndpoint(deps, id);
  const { actor, store } = deps;
  const { batch, resent } = DELIVERY_LIMITS;
  const among = { state: ['givenUp'] };
  let queued = 0;
  for (let pages = 0; pages < resent / batch; pages += 1) {
    // Those that are queued are found no more.
    const rows = await store.findRange('deliveries', 'time', { equals: [id], among, limit: batch });
    if (rows.length === 0) break;
    queued += await queueAgain(deps, rows);
  }
  const detail = { entityId, givenUp: queued };
  if (queued > 0)
    await store.commit([auditOf(deps, { actor, action: 'webhooks resend', subject: id, detail })]);
  return queued;
}

async function queueAgain(deps: WebhookDeps, rows: readonly DeliveryRow[]): Promise<number> {
  const nowMs = deps.clock.nowMs();
  const changes = rows
    .filter(({ state }) => state !== 'waiting')
    .map((row): Change => {
      const again = { ...row, state: 'waiting', dueAtMs: nowMs, sinceMs: nowMs, claims: 0 } as const;
      return { op: 'update', table: 'deliveries', row: again };
    });
  if (changes.length === 0) return 0;
  try {
    await deps.store.commit(changes);
    return changes.length;
  } catch (error) {
    // Another request has queued one of them: the others, one by one.
    if (!(error instanceof CommitConflict)) throw error;
    if (changes.length === 1) return 0;
    let queued = 0;
    for (const row of rows) queued += await queueAgain(deps, [row]);
    return queued;
  }
}

/** What waits for an endpoint without a URL, enciphered, what was queued first in front. @throws WebhookError, StoreUnavailableError */
export async function pendingDeliveries(
  deps: WebhookDeps,
  id: string,
  limit: number,
): Promise<readonly PendingDelivery[]> {
  const endpoint = await fetchedEndpoint(deps, id);
  const rows = await deps.store.findRange('deliveries', 'due', { equals: [id], limit });
  const found: PendingDelivery[] = [];
  for (const row of rows) {
    const sent = await enciphered(deps, endpoint, row);
    if (sent) found.push({ sequence: row.sequence, ...sent });
  }
  return found;
}

/** Records that a delivery was taken from the one who fetched it; a second time changes nothing. @throws WebhookError, StoreUnavailableError */
export async function acknowledge(deps: WebhookDeps, id: string, sequence: number): Promise<void> {
  await fetchedEndpoint(deps, id);
  await decideAgain(deps, async () => {
    const row = await deps.store.get('deliveries', [id, sequence]);
    if (!row) throw new WebhookError('unknown-delivery', `endpoint ${id} has no delivery ${sequence}`);
    if (row.state !== 'waiting') return;
    const done = { ...row, state: 'delivered', dueAtMs: null } as const;
    await deps.store.commit([{ op: 'update', table: 'deliveries', row: done }]);
  });
}

async function fetchedEndpoint(deps: WebhookDeps, id: string): Promise<WebhookEndpointRow> {
  const endpoint = await findEndpoint(deps, id);
  if (endpoint.url !== null)
    throw new WebhookError('wrong-state', `endpoint ${id} has a URL: its deliveries cannot be fetched`);
  return endpoint;
}
