import { Validator } from '@seriousme/openapi-schema-validator';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemorySaleService } from './memory-sale-service.test.support.js';
import { createTillServer } from './server.js';

let server: FastifyInstance;
beforeEach(() => {
  server = createTillServer({
    service: new MemorySaleService(),
    link: { detail: () => ({ state: 'up', attempt: 0 }), nudge: () => {} },
    lineProblem: () => undefined,
    token: 'a-token-of-the-tills-0123',
    // An injected request has no address.
    hostNames: ['localhost'],
    clock: new VirtualClock(),
    log: pino({ level: 'silent' }),
    metrics: new Registry(),
  });
});
afterEach(() => server.close());

const loadDocument = async () => JSON.parse((await server.inject('/docs/openapi.json')).body);

it('is a valid OpenAPI document without what is for our own programs', async () => {
  const document = await loadDocument();
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  expect(document.info).toMatchObject({ title: 'tillbridge agent' });
  expect(JSON.stringify(document)).not.toMatch(/"(expected|aliases|rule)":/);
});

it('names every call with its fields and answers', async () => {
  const { paths, components } = await loadDocument();
  const calls = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(calls.toSorted()).toEqual([
    'GET /healthz',
    'GET /metrics',
    'GET /v1/caller',
    'GET /v1/day-closes',
    'GET /v1/day-closes/{number}',
    'GET /v1/events',
    'GET /v1/queue',
    'GET /v1/sales',
    'GET /v1/sales/{reference}',
    'GET /v1/sales/{reference}/receipt',
    'GET /v1/sales/{reference}/refunds',
    'GET /v1/status',
    'GET /v1/terminals',
    'GET /v1/terminals/{id}/condition',
    'GET /v1/totals',
    'POST /v1/day-closes',
    'POST /v1/events/token',
    'POST /v1/queue/flush',
    'POST /v1/queue/{reference}/acknowledgement',
    'POST /v1/sales',
    'POST /v1/sales/{reference}/cancel',
    'POST /v1/sales/{reference}/capture',
    'POST /v1/sales/{reference}/resolution',
    'POST /v1/sales/{reference}/reversal',
    'POST /v1/sales/{reference}/voice-authorization',
    'POST /v1/terminals/{id}/display-code',
    'POST /v1/terminals/{id}/reset',
  ]);
  const { schema } = paths['/v1/sales'].post.requestBody.content['application/json'];
  expect(schema.required).toEqual(['reference', 'amount', 'currency']);
  expect(paths['/v1/sales'].post.responses['202'].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/Sale',
  });
  expect(Object.keys(components.schemas).toSorted()).toEqual(['Error', 'Sale', 'Terminal']);
});

it('lists the tag of every call', async () => {
  const { paths, tags } = await loadDocument();
  const named = new Set(tags.map(({ name }: { name: string }) => name));
  for (const [path, methods] of Object.entries<Record<string, { tags: string[] }>>(paths))
    for (const [method, operation] of Object.entries(methods))
      expect([method, path, operation.tags.map((tag) => named.has(tag))]).toEqual([method, path, [true]]);
});

it('gives errors and result codes with what they mean', async () => {
  const { errors, resultCodes } = JSON.parse((await server.inject('/docs/codes.json')).body);
  expect(errors).toContainEqual(expect.objectContaining({ code: 'terminal-busy', status: 409 }));
  expect(resultCodes).toContainEqual(expect.objectContaining({ code: '000.100.110', meaning: 'paid' }));
});

it('shows the API reference with every file from this agent, without a token', async () => {
  const page = await server.inject('/docs');
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const files = [...page.body.matchAll(/<(?:script|link)[^>]*?(?:src|href)="([^"]+)"/g)]
    .map(([, url = '']) => url)
    .filter((url) => !url.startsWith('data:'));
  expect(files).toHaveLength(2);
  for (const file of files) {
    const { origin, pathname } = new URL(file, 'http://agent.test/docs');
    expect(origin).toBe('http://agent.test');
    expect((await server.inject(pathname)).statusCode, pathname).toBe(200);
  }
});
