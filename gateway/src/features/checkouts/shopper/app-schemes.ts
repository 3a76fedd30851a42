import type { FastifyInstance } from 'fastify';
import { appSchemesOf } from '../../../core/entities/app-schemes.js';
import { appSchemeOf } from '../../../kernel/api/return-url.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { type Form, formOf } from '../../../kernel/http/request/form.js';
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
  server.addHook('preHandler', async (request) => {
    const { caller } = request;
    if (!caller || request.method !== 'POST') return;
    const form = formOf(request);
    const entityId = namesApp(form) ? await caller.entityOf(request) : undefined;
    if (entityId !== undefined) request.body = await withAppSchemes(store, entityId, form);
  });
}
