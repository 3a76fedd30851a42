import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpHarness, openHttpHarness } from '../../../app/http/http-harness.test.support.js';
import { hashOf } from './files.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const open = (path: string) => harness.send('GET', path, { authorization: null });
const PURCHASE = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };

describe('the script of the payment form', () => {
  it.each(['/v1/paymentWidgets.js', '/paymentWidgets.js'])('is at %s, for every shop', async (path) => {
    const { status, headers, text } = await open(`${path}?checkoutId=x`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('cache-control')).toBe('public, max-age=1800');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toContain('wpwl');
  });

  it('has the hash that its checkout is given on request', async () => {
    const { body } = await harness.post('/v1/checkouts', { ...PURCHASE, integrity: 'true' });
    const { text } = await open(`/v1/paymentWidgets.js?checkoutId=${body.id}`);
    expect(body).toMatchObject({ integrity: `sha384-${hashOf(text)}` });
    expect((await harness.post('/v1/checkouts', PURCHASE)).body).not.toHaveProperty('integrity');
  });

  it('is whole where a client takes it as it is', async () => {
    const { headers, text } = await harness.send('GET', '/v1/paymentWidgets.js', {
      authorization: null,
      headers: { 'accept-encoding': 'identity' },
    });
    expect(headers.get('content-encoding')).toBeNull();
    expect(text).toBe((await open('/v1/paymentWidgets.js')).text);
  });
});

describe('the pages in frames of the payment form', () => {
  const version = async () =>
    /"([0-9a-f]{16})"|`([0-9a-f]{16})`/.exec((await open('/v1/paymentWidgets.js')).text);
  const page = async (name: string) => {
    const found = await version();
    return open(`/widget/${found?.[1] ?? found?.[2]}/${name}`);
  };

  it.each([
    ['field', "form-action 'none'"],
    ['session', "connect-src 'self'"],
    ['challenge', 'frame-src http: https:'],
  ])('%s may be framed by every shop, and reaches what it needs alone', async (name, rule) => {
    const { status, headers, text } = await page(name);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(rule);
    expect(policy).toContain('frame-ancestors http: https:');
    expect(policy).not.toMatch(/unsafe/);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('cache-control')).toContain('immutable');
    expect(headers.get('set-cookie')).toBeNull();
    expect(text.match(/<script>/g)).toHaveLength(1);
    expect(name === 'field' && policy.includes('connect-src')).toBe(false);
  });

  it('of another build or name are not there', async () => {
    expect((await open(`/widget/${'0'.repeat(16)}/field`)).status).toBe(404);
    expect((await page('constructor')).status).toBe(404);
  });
});
