import {
  ALERT_ACKNOWLEDGEMENT_PARAMETERS,
  ALERT_LIST_PARAMETERS,
} from '@tillbridge/protocol/api/catalogue/administration/alerts.js';
import type { Parameter } from '@tillbridge/protocol/api/catalogue/rows/parameter.js';
import { validateParameters } from '@tillbridge/protocol/api/validate.js';
import type { FastifyInstance } from 'fastify';
import { type AlertState, acknowledgeAlert, alertView } from '../../alerts/alert-list.js';
import type { AlertRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import { callerOf } from '../request/authenticate.js';
import type { HttpDeps } from '../request/deps.js';
import { envelope, invalidParameters, RequestRefused } from '../request/envelope.js';
import { type Form, formOf } from '../request/form.js';

const READ = { config: { right: 'administration', throttle: 'reads' } } as const;
const ACKNOWLEDGE = { config: { right: 'administration', throttle: 'followUps' } } as const;
/** Code of a list, and of an acknowledgement, that went well. */
const DONE = '000.000.100';
/** Alerts of an answer unless `limit` says otherwise. */
const DEFAULT_LIMIT = 100;

/** Additions of ours: the alerts about a merchant's own stores, and their acknowledgement. Other alerts are the operator's. */
export function alertRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get('/v1/alerts', READ, async (request) => {
    const values = valuesOf(formOf(request), ALERT_LIST_PARAMETERS);
    const entityIds = await callerOf(request).readableEntities(values.get('entityId'));
    const limit = Number(values.get('limit') ?? DEFAULT_LIMIT);
    const rows = await alertsAbout(deps.store, entityIds, { ...wanted(values), limit: limit + 1 });
    const alerts = rows.slice(0, limit).map(alertView);
    const next = rows.length > limit ? alerts.at(-1)?.id : undefined;
    return { ...envelope(deps, DONE), alerts, ...(next !== undefined && { next }) };
  });
  server.post<{ Params: { id: string } }>('/v1/alerts/:id/acknowledgement', ACKNOWLEDGE, async (request) => {
    const values = valuesOf(formOf(request), ALERT_ACKNOWLEDGEMENT_PARAMETERS);
    const entityIds = await callerOf(request).readableEntities(values.get('entityId'));
    const row = await acknowledged(deps, entityIds, request.params.id, values.get('note') ?? null);
    return { ...envelope(deps, DONE), alert: alertView(row) };
  });
}

/** Valid parameters. @throws RequestRefused naming every fault */
function valuesOf(form: Form, rows: readonly Parameter[]): ReadonlyMap<string, string> {
  const { values, errors } = validateParameters(form.parameters, rows);
  if (form.errors.length + errors.length > 0) throw invalidParameters([...form.errors, ...errors]);
  return values;
}

interface Wanted {
  /** Absent: those that stand. */
  readonly state?: AlertState;
  readonly after?: string;
}

function wanted(values: ReadonlyMap<string, string>): Wanted {
  const [state, after] = [values.get('state'), values.get('after')];
  return {
    // The row of the parameter lists the states.
    ...(state !== undefined && { state: state as AlertState }),
    ...(after !== undefined && { after }),
  };
}

/** Alerts of the entities in the order of their ids. @throws StoreUnavailableError */
async function alertsAbout(
  store: Pick<Store, 'find'>,
  entityIds: readonly string[],
  { state, after, limit }: Wanted & { readonly limit: number },
): Promise<readonly AlertRow[]> {
  const states: readonly AlertState[] = state ? [state] : ['open', 'acknowledged'];
  const options = { limit, ...(after !== undefined && { after: [after] }) };
  const found: AlertRow[] = [];
  for (const entityId of entityIds)
    for (const each of states)
      found.push(...(await store.find('alerts', 'entity', [entityId, each], options)));
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
}

/** The alert, acknowledged. @throws RequestRefused for an id that is unknown or not of the entities: the two cannot be told apart */
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
    const done = await acknowledgeAlert(store, row, note, clock.nowMs());
    if (done) return done;
  }
}
