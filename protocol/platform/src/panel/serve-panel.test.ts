import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePanel } from './serve-panel.js';

let folder: string;
let installable: string;
const shell = fastify();
const server = fastify();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'panel-'));
  installable = mkdtempSync(join(tmpdir(), 'panel-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><p>panel</p>');
  writeFileSync(join(folder, 'panel-1.js'), 'export {};');
  writeFileSync(join(folder, 'panel-1.css'), 'p{}'.repeat(100));
  writeFileSync(join(folder, 'secret.txt'), 'not of the panel');
  writeFileSync(join(installable, 'index.html'), '<!doctype html>');
  writeFileSync(join(installable, 'service-worker.js'), 'export {};');
  writeFileSync(join(installable, 'manifest.webmanifest'), '{}');
  servePanel(server, pathToFileURL(`${folder}/`));
  servePanel(shell, pathToFileURL(`${installable}/`));
});
afterAll(async () => {
  await server.close();
  await shell.close();
  rmSync(folder, { recursive: true });
  rmSync(installable, { recursive: true });
});

describe('the server of a panel', () => {
  it('gives the page under a policy that allows its own files alone', async () => {
    const { statusCode, headers, body } = await server.inject('/');
    expect([statusCode, body]).toEqual([200, '<!doctype html><p>panel</p>']);
    expect(headers['cache-control']).toBe('no-cache');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('gives script and style sheet for ever, compressed where the browser takes that', async () => {
    const plain = await server.inject('/panel/panel-1.js');
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(plain.body).toBe('export {};');
    const gzip = await server.inject({ url: '/panel/panel-1.css', headers: { 'accept-encoding': 'gzip' } });
    expect(gzip.headers['content-encoding']).toBe('gzip');
  });

  it.each(['/panel/secret.txt', '/panel/none.js', '/panel/..%2findex.html', '/panel/', '/panel/constructor'])(
    'gives nothing else: %s',
    async (url) => {
      expect((await server.inject(url)).statusCode).toBe(404);
    },
  );

  it('lets one that has a worker be installed, and no other', async () => {
    const policy = async (of: typeof server) =>
      String((await of.inject('/')).headers['content-security-policy']);
    expect(await policy(shell)).toMatch(/worker-src 'self'; trusted-types tillbridge-shell$/);
    expect(await policy(server)).toMatch(/trusted-types 'none'$/);
    expect((await shell.inject('/service-worker.js')).headers).toMatchObject({ 'cache-control': 'no-cache' });
    expect((await shell.inject('/manifest.webmanifest')).headers['content-type']).toBe(
      'application/manifest+json; charset=utf-8',
    );
    expect((await server.inject('/service-worker.js')).statusCode).toBe(404);
  });
});
