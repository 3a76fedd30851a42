import type { FastifyInstance } from 'fastify';
import {
  type StandInState,
  standInKeys,
  standInView,
} from '../../core/acquirers/iso8583/stand-in/list-stand-ins.js';
import { STAND_IN_LIST_PARAMETERS } from '../../kernel/api/catalogue/administration/stand-ins.js';
import { readAdministration } from '../../kernel/http/request/administration.js';
import type { HttpDeps } from '../../kernel/http/request/deps.js';
import { done } from '../../kernel/http/request/envelope.js';
import { listPage } from '../../kernel/http/request/list-page.js';
import { ADMINISTRATION } from '../../kernel/http/request/route-kinds.js';
import type { FindOptions } from '../../kernel/store/store.js';

/** An addition of ours: a merchant's payments that the gateway approved by itself, and what became of their advices. */
export function standInRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get('/v1/standIns', ADMINISTRATION.read, async (request) => {
    const { values, owners } = await readAdministration(request, STAND_IN_LIST_PARAMETERS);
    // The row of the parameter lists the states.
    const state = values.get('state') as StandInState | undefined;
    const reads = standInKeys(owners, state && [state]).map(
      (key) => (options: FindOptions) => deps.store.find('linkExchanges', 'entity', key, options),
    );
    const { rows, ...next } = await listPage(values, ({ reference }) => reference, reads);
    return done(deps, { standIns: rows.map(standInView), ...next });
  });
}
