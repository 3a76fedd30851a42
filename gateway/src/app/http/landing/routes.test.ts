import { peersOf } from '@tillbridge/platform/net/peers.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type HttpHarness, type HttpHarnessOptions, openHttpHarness } from '../http-harness.test.support.js';

let harness: HttpHarness;
afterEach(() => harness.dispose());

const open = async (options?: HttpHarnessOptions) => {
  harness = await openHttpHarness(undefined, options);
};
const load = (headers: Record<string, string> = {}) =>
  harness.send('GET', '/', { authorization: null, headers });

describe('/', () => {
  it('leads in test mode to what is there, and to nothing else', async () => {
    await open();
    const { status, headers, text } = await load();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('Test mode');
    const paths = [...text.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toEqual([
      '/console',
      '/docs',
      '/docs#result-codes',
      '/docs#postV1Checkouts',
      '/docs#postPaybylinkV1',
    ]);
    for (const path of paths) {
      const [page = ''] = path.split('#');
      expect((await harness.send('GET', page, { authorization: null })).status).toBe(200);
    }
  });

  it('shows in live mode the name, and nothing that helps a stranger', async () => {
    await open({ mode: 'live', transport: { mode: 'live', proxies: peersOf(['127.0.0.1']) } });
    const { status, text } = await load({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' });
    expect(status).toBe(200);
    const words = text
      .replace(/<(style|svg)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .split(/\s+/)
      .filter(Boolean);
    expect(new Set(words)).toEqual(new Set(['tillbridge']));
    expect(text).not.toMatch(/href|src=|script/);
  });

  it('loads nothing: its policy allows its own style alone', async () => {
    await open();
    const { headers, text } = await load();
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; /);
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<(script|link|img)|https?:/);
  });

  it('is sent once to a browser that has it', async () => {
    await open();
    const tag = (await load()).headers.get('etag') ?? '';
    expect((await load({ 'if-none-match': tag })).status).toBe(304);
  });

  it('takes no other method', async () => {
    await open();
    const { status, headers } = await harness.send('POST', '/', { authorization: null, body: 'a=b' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
