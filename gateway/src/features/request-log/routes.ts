import type { FastifyInstance } from 'fastify';
import { REQUEST_LOG_PARAMETERS } from '../../kernel/api/catalogue/administration/request-log.js';
import { readAdministration } from '../../kernel/http/request/administration.js';
import type { HttpDeps } from '../../kernel/http/request/deps.js';
import { done, invalidParameters } from '../../kernel/http/request/envelope.js';
import { limitOf } from '../../kernel/http/request/list-page.js';
import { ADMINISTRATION } from '../../kernel/http/request/route-kinds.js';
import { frameFaults, frameOf } from '../../kernel/http/request/time-frame.js';
import type { RequestLogRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { findRequests } from './find-requests.js';
import type { RequestLog } from './request-log.js';
import { requestView, tokenOf } from './request-view.js';

/** An addition of ours: the requests of a merchant as they were sent. */
export function requestLogRoutes(server: FastifyInstance, deps: HttpDeps, log: RequestLog): void {
  server.get('/v1/requests', ADMINISTRATION.read, async (request) => {
    const { values, owners } = await readAdministration(request, REQUEST_LOG_PARAMETERS);
    const faults = frameFaults(values);
    if (faults.length > 0) throw invalidParameters(faults);
    const [only] = ['date.from', 'date.to'].filter((name) => values.has(name));
    if (only !== undefined && !frameOf(values)) {
      const message = 'must be sent with the other end of the time: date.from and date.to';
      throw invalidParameters([{ name: only, value: values.get(only) ?? null, message }]);
    }
    // Who has just sent a request looks for it here.
    await log.flush();
    const { rows, ...next } = await findRequests(deps.store, owners, values, limitOf(values));
    const names = await namesOf(deps.store, rows);
    return done(deps, { requests: rows.map((row) => requestView(row, names)), ...next });
  });
}

/** Names of the tokens of some requests by their ids. */
async function namesOf(
  store: Pick<Store, 'get'>,
  rows: readonly RequestLogRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(rows.map(tokenOf).filter((id) => id !== undefined));
  const found = await Promise.all([...ids].map((id) => store.get('tokens', [id])));
  return new Map(found.flatMap((token) => (token ? [[token.id, token.label] as const] : [])));
}
