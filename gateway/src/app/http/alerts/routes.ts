import type { FastifyInstance } from 'fastify';
import { type AlertState, acknowledgeAlert, alertView } from '../../../kernel/alerts/alert-list.js';
import {
  ALERT_ACKNOWLEDGEMENT_PARAMETERS,
  ALERT_LIST_PARAMETERS,
} from '../../../kernel/api/catalogue/administration/alerts.js';
import { readAdministration, type Values } from '../../../kernel/http/request/administration.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { listPage } from '../../../kernel/http/request/list-page.js';
import { ADMINISTRATION, type WithId } from '../../../kernel/http/request/route-kinds.js';
import type { AlertRow } from '../../../kernel/store/rows.js';
import type { FindOptions, Store } from '../../../kernel/store/store.js';

/** Additions of ours: the alerts about a merchant's own stores, and their acknowledgement. Other alerts are the operator's. */
export function alertRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get('/v1/alerts', ADMINISTRATION.read, async (request) => {
    const { values, owners } = await readAdministration(request, ALERT_LIST_PARAMETERS);
    const { rows, ...next } = await listPage(values, ({ id }) => id, alertsAbout(deps.store, owners, values));
    return done(deps, { alerts: rows.map(alertView), ...next });
  });
  server.post<WithId>('/v1/alerts/:id/acknowledgement', ADMINISTRATION.change, async (request) => {
    const { values, owners } = await readAdministration(request, ALERT_ACKNOWLEDGEMENT_PARAMETERS);
    const row = await acknowledged(deps, owners, request.params.id, values.get('note') ?? null);
    return done(deps, { alert: alertView(row) });
  });
}

/** Reads of the alerts of the entities: without a state those that stand. */
function alertsAbout(store: Pick<Store, 'find'>, entityIds: readonly string[], values: Values) {
  // The row of the parameter lists the states.
  const state = values.get('state') as AlertState | undefined;
  const states: readonly AlertState[] = state ? [state] : ['open', 'acknowledged'];
  return entityIds.flatMap((entityId) =>
    states.map((each) => (options: FindOptions) => store.find('alerts', 'entity', [entityId, each], options)),
  );
}

/** The alert, acknowledged. @throws RequestRefused for an id that is unknown or not of the entities: both give the same answer */
async function acknowledged(
  { store, clock }: HttpDeps,
  entityIds: readonly string[],
  id: string,
  note: string | null,
): Promise<AlertRow> {
  for (;;) {
    const row = await store.get('alerts', [id]);
    if (!row || row.entityId === null || !entityIds.includes(row.entityId))
      throw new RequestRefused('nothing-found');
    const acknowledgement = await acknowledgeAlert(store, row, note, clock.nowMs());
    if (acknowledgement) return acknowledgement;
  }
}
