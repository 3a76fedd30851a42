import type { FastifyInstance, FastifyRequest } from 'fastify';
import { appSchemesOf } from '../../../core/entities/app-schemes.js';
import { appSchemeOf } from '../../../kernel/api/return-url.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { type Form, formOf } from '../../../kernel/http/request/form.js';
import { hookWhere } from '../../../kernel/http/request/hook-where.js';
import type { Store } from '../../../kernel/store/store.js';

/** A form with the schemes of its entity's apps, where it names a return address that is not of the web; all others are left as they are. */
export async function withAppSchemes(store: Pick<Store, 'get'>, entityId: string, form: Form): Promise<Form> {
  return namesApp(form) ? { ...form, appSchemes: await appSchemesOf(store, entityId) } : form;
}

function namesApp({ parameters }: Form): boolean {
  return parameters.some(([name, value]) => name === 'shopperResultUrl' && appSchemeOf(value) !== undefined);
}

/** Forms of callers are checked by the schemes of the entity that they act for. Without the hook no app is opened. */
export function takeAppSchemes(server: FastifyInstance, { store }: Pick<HttpDeps, 'store'>): void {
  const isDue = (request: FastifyRequest): boolean =>
    request.caller !== undefined && request.method === 'POST' && namesApp(formOf(request));
  const take = async (request: FastifyRequest): Promise<void> => {
    const entityId = await callerOf(request).entityOf(request);
    if (entityId !== undefined) request.body = await withAppSchemes(store, entityId, formOf(request));
  };
  server.addHook('preHandler', hookWhere(isDue, take));
}
