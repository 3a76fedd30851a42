import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthenticationDeps } from '../request/authenticate.js';
import { type Form, formOf } from '../request/form.js';

/** Names by which older clients name the entity and themselves (reference §4). */
const ENTITY = 'authentication.entityId';
const USER = 'authentication.userId';
const PASSWORD = 'authentication.password';

/**
 * Requests for an entity with `compatibility: legacy`: `authentication.entityId` names the entity, a user id and password stand for
 * the header, and the parameters are then checked by the wider rules. Requests for all other entities pass untouched.
 */
export function takeLegacyClients(
  server: FastifyInstance,
  { store }: Pick<AuthenticationDeps, 'store'>,
): void {
  server.decorateRequest('login', undefined);
  server.addHook('preHandler', async (request) => {
    if (!/^\/v\d/.test(request.routeOptions.url ?? '')) return;
    const form = formOf(request);
    const find = (name: string) => form.parameters.find(([sent]) => sent === name)?.[1];
    const entityId = find('entityId') ?? find(ENTITY);
    if (entityId === undefined) return;
    const entity = await store.get('entities', [entityId]);
    if (entity?.compatibility !== 'legacy') return;
    const [userId, password] = [find(USER), find(PASSWORD)];
    if (request.headers.authorization === undefined && userId !== undefined && password !== undefined)
      request.login = { userId, password };
    replaceForm(request, withoutCredentials(form));
  });
}

function withoutCredentials(form: Form): Form {
  const parameters = form.parameters
    .filter(([name]) => name !== USER && name !== PASSWORD)
    .map(([name, value]) => [name === ENTITY ? 'entityId' : name, value] as const);
  return { ...form, parameters, compatibility: 'legacy' };
}

function replaceForm(request: FastifyRequest, form: Form): void {
  if (request.method === 'POST') {
    request.body = form;
    return;
  }
  // A query with faults keeps them: the route names them.
  if (form.errors.length > 0) return;
  const query = new URLSearchParams(Object.fromEntries(form.parameters));
  request.raw.url = `${request.url.split('?', 1)[0]}?${query}`;
}
