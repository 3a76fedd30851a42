import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addToken, CARD, type HttpHarness, openHttpHarness } from '../http-harness.test.support.js';

const SCRAPER = 'tb_scraper-token-of-the-tests';
let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

async function scrape(headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(`${harness.url}/metrics`, { headers: { connection: 'close', ...headers } });
  return { status: response.status, text: await response.text() };
}

describe('the numbers of the gateway', () => {
  test('count requests by route and status, with nothing of a payment in them', async () => {
    const { body } = await harness.post('/v1/payments', CARD);
    await harness.get(`/v1/payments/${String((body as { id: string }).id)}`);
    await harness.get('/nowhere');
    const { status, text } = await scrape();
    expect(status).toBe(200);
    expect(text).toContain('request_seconds_count{operation="POST /v1/payments",status="200"} 1');
    expect(text).toContain('request_seconds_count{operation="GET /v1/payments/:id",status="200"} 1');
    expect(text).toMatch(/request_seconds_count\{operation="[^"]*",status="404"\} 1/);
    expect(text).not.toContain((body as { id: string }).id);
    expect(text).not.toMatch(/4200000000|nowhere|Jones/);
  });

  test('are for this machine, and for no client that a proxy passes on', async () => {
    expect((await scrape({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(401);
    await addToken(harness.store, SCRAPER, ['metrics']);
    const passedOn = { 'x-forwarded-for': '203.0.113.9', authorization: `Bearer ${SCRAPER}` };
    expect((await scrape(passedOn)).status).toBe(200);
    await addToken(harness.store, 'tb_merchant-token-of-the-tests', ['pay', 'refund', 'read']);
    const merchant = { ...passedOn, authorization: 'Bearer tb_merchant-token-of-the-tests' };
    expect((await scrape(merchant)).status).toBe(403);
  });

  test.each(['Host: evil.example', 'Host: localhost\r\nOrigin: https://evil.example'])(
    'are for no page of a foreign site in a browser of this machine: %s',
    async (headers) => {
      const request = `GET /metrics HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`;
      expect((await rawRequest(harness.url, request)).status).toBe(401);
    },
  );
});
