import { fastify } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { setAppSchemes } from '../../../core/entities/app-schemes.js';
import { entityRow } from '../../../core/entities/entities.js';
import { Caller } from '../../../kernel/http/request/caller.js';
import { type Form, takeForms } from '../../../kernel/http/request/form.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { takeAppSchemes, withAppSchemes } from './app-schemes.js';

const SHOP = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);
const CHANNEL = 'c'.repeat(32);
const APP = 'com.shop.app:/done';

let store: MemoryStore;
beforeEach(async () => {
  store = new MemoryStore();
  for (const [id, parent] of [[SHOP], [OTHER], [CHANNEL, SHOP]] as const)
    await store.commit([{ op: 'insert', table: 'entities', row: entityRow(id, id, parent ?? null, 1) }]);
  await setAppSchemes(store, SHOP, ['com.shop.app']);
  await setAppSchemes(store, CHANNEL, ['com.shop.channel']);
  await setAppSchemes(store, OTHER, ['com.other.app']);
});

describe('a form', () => {
  const form = (parameters: Form['parameters']): Form => ({ parameters, errors: [] });

  it('that names an address of an app has the schemes of its entity', async () => {
    const named = form([
      ['amount', '1.00'],
      ['shopperResultUrl', APP],
    ]);
    expect(await withAppSchemes(store, SHOP, named)).toEqual({ ...named, appSchemes: ['com.shop.app'] });
    expect(await withAppSchemes(store, CHANNEL, named)).toEqual({
      ...named,
      appSchemes: ['com.shop.channel'],
    });
  });

  it.each([
    [['shopperResultUrl', 'https://shop.example/']],
    [['notificationUrl', APP]],
    [['amount', '1.00']],
  ] as const)('that names %j is left as it is', async (parameter) => {
    const named = form([parameter]);
    expect(await withAppSchemes(store, SHOP, named)).toBe(named);
  });
});

describe('a request', () => {
  /** The schemes that a route finds in the form of a request. */
  async function schemes(parameters: Readonly<Record<string, string>>, { isRead = false, by = SHOP } = {}) {
    const server = fastify();
    let found: unknown = 'not called';
    takeForms(server);
    server.decorateRequest('caller', undefined);
    server.addHook('onRequest', async (request) => {
      const token = { id: 't', entityId: by, merchantId: by, rights: '[]' };
      if (by !== '') request.caller = new Caller(store, token);
    });
    takeAppSchemes(server, { store });
    server.route({
      method: ['GET', 'POST'],
      url: '/',
      handler: async ({ body }) => {
        found = (body as Form | undefined)?.appSchemes;
        return 'ok';
      },
    });
    const text = new URLSearchParams(parameters).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { statusCode } = isRead
      ? await server.inject({ url: `/?${text}` })
      : await server.inject({ method: 'POST', url: '/', headers, body: text });
    expect(statusCode).toBe(200);
    return found;
  }

  it('has the schemes of the entity that it names, else of its token', async () => {
    expect(await schemes({ shopperResultUrl: APP })).toEqual(['com.shop.app']);
    expect(await schemes({ shopperResultUrl: APP, entityId: CHANNEL })).toEqual(['com.shop.channel']);
    expect(await schemes({ shopperResultUrl: APP }, { by: OTHER })).toEqual(['com.other.app']);
  });

  it.each([
    ['names an entity of another', { shopperResultUrl: APP, entityId: OTHER }, {}],
    ['names an address of the web', { shopperResultUrl: 'https://shop.example/' }, {}],
    ['has no caller', { shopperResultUrl: APP, entityId: SHOP }, { by: '' }],
    ['is no POST', { shopperResultUrl: APP }, { isRead: true }],
  ])('that %s has none', async (_what, parameters, of) => {
    expect(await schemes(parameters, of)).toBeUndefined();
  });
});
