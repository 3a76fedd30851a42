import { auditOf } from '../../kernel/audit/audit.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import type { WebhookEndpointRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import type { WebhookDeps } from './webhook-deps.js';
import { WebhookError } from './webhook-error.js';

/** A change of an endpoint, and what is committed with it. */
interface EndpointChange {
  readonly row: WebhookEndpointRow;
  readonly more?: readonly Change[];
  /** The record's detail in addition to who and when; nothing secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The endpoint of an id. @throws WebhookError unknown-endpoint, for another's and a removed one too */
export async function findEndpoint(
  { store, owners }: Pick<WebhookDeps, 'store' | 'owners'>,
  id: string,
): Promise<WebhookEndpointRow> {
  const row = await store.get('webhookEndpoints', [id]);
  if (!row || row.state === 'removed' || owners?.includes(row.entityId) === false)
    throw new WebhookError('unknown-endpoint', `there is no webhook endpoint ${id}`);
  return row;
}

/** Changes an endpoint, with a record of who did it. @throws WebhookError, StoreUnavailableError */
export function changeEndpoint(
  deps: WebhookDeps,
  action: string,
  id: string,
  change: (row: WebhookEndpointRow) => EndpointChange | Promise<EndpointChange>,
): Promise<WebhookEndpointRow> {
  const round = async (): Promise<WebhookEndpointRow> => {
    const { row, more = [], detail = {} } = await change(await findEndpoint(deps, id));
    const { entityId } = row;
    const entry = {
      actor: deps.actor,
      action: `webhooks ${action}`,
      subject: id,
      detail: { entityId, ...detail },
    };
    await deps.store.commit([
      { op: 'update', table: 'webhookEndpoints', row },
      ...more,
      auditOf(deps, entry),
    ]);
    return { ...row, version: row.version + 1 };
  };
  const busy = () => new WebhookError('busy', `endpoint ${id} changed again and again meanwhile`);
  return decideAgain(deps, round, { key: `webhookEndpoints/${id}`, busy });
}
