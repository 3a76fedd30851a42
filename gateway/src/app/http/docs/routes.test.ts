import { RESULT_CODE_TABLE } from '@tillbridge/wire/payment/result-codes/result-code-table.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REST_ERRORS } from '../../../kernel/errors/error-table.js';
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
  it.each(['/docs', '/docs/'])(
    'shows the API reference at %s, with files of this host alone',
    async (path) => {
      const { response, text } = await load(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toContain('text/html');
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      const files = filesOf(text).filter((file) => !file.startsWith('data:'));
      expect(files).toHaveLength(2);
      for (const file of files) {
        const { origin, pathname } = new URL(file, `${harness.url}/docs`);
        expect(origin).toBe(harness.url);
        expect((await load(pathname)).response.status, pathname).toBe(200);
      }
    },
  );

  it('gives errors and result codes with what they mean', async () => {
    const { errors, resultGroups, resultCodes } = JSON.parse((await load('/docs/codes.json')).text);
    expect(errors).toContainEqual(
      expect.objectContaining({ code: 'not-authenticated', status: 401, resultCode: '800.900.300' }),
    );
    expect(errors).toHaveLength(Object.keys(REST_ERRORS).length);
    expect(resultCodes).toHaveLength(Object.keys(RESULT_CODE_TABLE).length);
    expect(new Set(resultCodes.map(({ meaning }: { meaning: string }) => meaning))).toEqual(
      new Set(['paid', 'pending', 'refused', 'try again', 'charged back']),
    );
    for (const { pattern } of resultGroups) expect(() => new RegExp(pattern)).not.toThrow();
  });

  it('sends a document once to a browser that has it', async () => {
    for (const path of ['/docs', '/docs/openapi.json', '/docs/codes.json']) {
      const tag = (await load(path)).response.headers.get('etag') ?? '';
      const again = await fetch(harness.url + path, {
        headers: { 'if-none-match': tag, connection: 'close' },
      });
      expect([path, again.status]).toEqual([path, 304]);
    }
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
