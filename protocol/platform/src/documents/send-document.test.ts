import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PublicDocument } from './public-document.js';
import { sendDocument } from './send-document.js';

/** Longer than what is sent at once, compressed or not. */
const LONG = Array.from({ length: 60_000 }, (_each, at) => (at * 2_654_435_761).toString(36)).join(' ');

let server: FastifyInstance;
beforeEach(() => {
  server = fastify();
  const documents = { long: LONG, short: '{"a":1}', empty: '' };
  for (const [name, text] of Object.entries(documents)) {
    const document = new PublicDocument('application/json; charset=utf-8', text);
    server.get(`/${name}`, (request, reply) => sendDocument(request, reply, document, { 'x-more': 'yes' }));
  }
});
afterEach(() => server.close());

const load = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

describe('a document for everybody', () => {
  it.each([
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0,gzip;q=0', undefined],
    ['gzipped', undefined],
  ])('is sent to a client that takes "%s" as %s', async (accepted, encoding) => {
    const { headers, rawPayload } = await load('/long', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(rawPayload.length),
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
      'x-more': 'yes',
    });
    const decode = { gzip: gunzipSync, br: brotliDecompressSync, none: (bytes: Buffer) => bytes };
    expect(String(decode[(encoding ?? 'none') as 'gzip'](rawPayload))).toBe(LONG);
  });

  it('is not made longer by its encoding', async () => {
    const { headers, body } = await load('/short', { 'accept-encoding': 'br' });
    expect([headers['content-encoding'], body]).toEqual([undefined, '{"a":1}']);
    expect((await load('/empty')).body).toBe('');
  });

  it('is compressed once', async () => {
    const document = new PublicDocument('text/plain', LONG);
    const [first, second] = await Promise.all([document.encoded('br'), document.encoded('br')]);
    expect(first.bytes).toBe(second.bytes);
    expect((await document.encoded('br')).bytes).toBe(first.bytes);
  });

  it('is not sent again to whom has it', async () => {
    const tag = String((await load('/long')).headers.etag);
    for (const tags of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const { statusCode, body, headers } = await load('/long', { 'if-none-match': tags });
      expect([statusCode, body, headers.etag]).toEqual([304, '', tag]);
    }
    expect((await load('/long', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    expect((await load('/short')).headers.etag).not.toBe(tag);
  });

  it('is not sent for a HEAD request', async () => {
    const { statusCode, body } = await server.inject({ method: 'HEAD', url: '/long' });
    expect([statusCode, body]).toEqual([200, '']);
  });
});
