import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthenticationDeps } from '../request/authenticate.js';
import { type Form, formOf } from '../request/form.js';
import { loginNotAccepted } from '../request/sign-in-refusals.js';

/** Names by which older clients name the entity and themselves (docs/rest-api.md). */
const ENTITY = 'authentication.entityId';
const USER = 'authentication.userId';
const PASSWORD = 'authentication.password';

/**
 * Takes user id and password of the form as credentials, where no header has any. Their owner and entity are answered after they
 * were checked, so that a stranger learns of no entity whether it is there.
 */
export function takeLogins(server: FastifyInstance): void {
  server.decorateRequest('login', undefined);
  server.addHook('preHandler', (request, _reply, done) => {
    if (request.headers.authorization !== undefined || !isVersioned(request)) return done();
    const [userId, password] = [sent(request, USER), sent(request, PASSWORD)];
    if (userId !== undefined && password !== undefined) request.login = { userId, password };
    done();
  });
}

/**
 * Requests for an entity with `compatibility: legacy`, by a caller who may act for it: `authentication.entityId` names the entity, and
 * the parameters are checked by the wider rules. All other requests pass untouched.
 * @throws RequestRefused for a user id and password in a request for any other entity
 */
export function takeLegacyForms(server: FastifyInstance, { store }: Pick<AuthenticationDeps, 'store'>): void {
  server.addHook('preHandler', async (request) => {
    const { caller } = request;
    if (!caller || !isVersioned(request)) return;
    const entityId = sent(request, 'entityId') ?? sent(request, ENTITY);
    const isOwn = entityId !== undefined && (await caller.mayActFor(entityId));
    const entity = isOwn ? await store.get('entities', [entityId]) : undefined;
    if (entity?.compatibility === 'legacy') replaceForm(request, withoutCredentials(formOf(request)));
    else if (request.login) throw loginNotAccepted();
  });
}

function isVersioned({ routeOptions }: FastifyRequest): boolean {
  return /^\/(?:v\d|checkouts\b)/.test(routeOptions.url ?? '');
}

function sent(request: FastifyRequest, name: string): string | undefined {
  return formOf(request).parameters.find(([each]) => each === name)?.[1];
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
