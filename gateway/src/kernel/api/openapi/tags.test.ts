import { expect, it } from 'vitest';
import { ENDPOINTS } from './endpoints.js';
import { TAGS, tagList, tagOf } from './tags.js';

it('gives every endpoint a tag, and every tag an endpoint', () => {
  const used = new Set(ENDPOINTS.map(tagOf));
  expect([...used].sort()).toEqual(Object.keys(TAGS).sort());
});

it('names the file to change for an endpoint that no tag takes', () => {
  expect(() => tagOf({ method: 'get', path: '/v1/things' })).toThrow(
    /GET \/v1\/things has no tag: .*tags\.ts/,
  );
});

it('puts what belongs to test mode at the end, whatever its path', () => {
  expect(tagOf({ method: 'post', path: '/v1/payments/{id}/chargeback' })).toBe('test-mode');
  expect(tagOf({ method: 'post', path: '/v1/schedules/{id}/run' })).toBe('test-mode');
  expect(tagList(ENDPOINTS).at(-1)).toMatchObject({ name: 'test-mode' });
});

it('lists the tags of served endpoints alone', () => {
  const served = ENDPOINTS.filter(({ path }) => path === '/v1/webhooks');
  expect(tagList(served)).toEqual([
    { name: 'webhooks', description: TAGS.webhooks.description, 'x-displayName': TAGS.webhooks.title },
  ]);
});
