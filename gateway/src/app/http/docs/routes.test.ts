import { emptyForms } from '@tillbridge/platform/api-docs/empty-forms.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpHarness, openHttpHarness } from '../http-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

async function load(path: string): Promise<{ response: Response; text: string }> {
  const response = await fetch(harness.url + path, { headers: { connection: 'close' } });
  return { response, text: await response.text() };
}

/** Addresses of scripts and styles of a page. */
const filesOf = (html: string): string[] =>
  [...html.matchAll(/<(?:script|link)[^>]*?(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);

describe('/docs', () => {
  it('shows a viewer that takes every file from this host', async () => {
    const { response, text } = await load('/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    const files = filesOf(text);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { origin, pathname } = new URL(file, `${harness.url}/docs`);
      expect(origin).toBe(harness.url);
      expect((await load(pathname)).response.status, pathname).toBe(200);
    }
    const start = await load('/docs/static/swagger-initializer.js');
    expect(start.text).toContain('"validatorUrl":null');
    expect(start.text).toContain(emptyForms.toString());
  });

  it('gives the document, with what is served and nothing else', async () => {
    const { status, body } = await harness.send('GET', '/docs/openapi.json', { authorization: null });
    expect(status).toBe(200);
    expect(body.openapi).toMatch(/^3\.1/);
    expect(body.info.version).toBe('test');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/v1/payments', '/v1/payments/{id}', '/v1/resultcodes']),
    );
    for (const [path, operations] of Object.entries<Record<string, unknown>>(body.paths)) {
      for (const method of Object.keys(operations)) {
        const url = path.replaceAll(/\{\w+\}/g, '0'.repeat(32));
        // The script of the payment form is no JSON.
        const { body: answer } = await harness.send(method.toUpperCase(), url, {
          ...(method === 'post' && { body: 'a=b' }),
        });
        expect(['200.100.199', '200.300.403'], `${method} ${path}`).not.toContain(answer?.result?.code);
      }
    }
  });
});
