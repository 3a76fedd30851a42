import { peersOf } from '@tillbridge/platform/net/peers.js';
import { afterEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../../app/http/http-harness.test.support.js';
import type { Transport } from './redirect.js';

let harness: HttpHarness;
afterEach(() => harness.dispose());

async function open(transport: Partial<Transport>): Promise<void> {
  harness = await openHttpHarness(undefined, {
    transport: { mode: 'test', proxies: peersOf([]), ...transport },
  });
}

const proxies = peersOf(['127.0.0.1']);

function pay(forwardedProto?: string) {
  return harness.send('POST', '/v1/payments', {
    body: new URLSearchParams({ entityId: 'a'.repeat(32), ...CARD }).toString(),
    ...(forwardedProto !== undefined && { headers: { 'x-forwarded-proto': forwardedProto } }),
  });
}

describe('behind a trusted proxy', () => {
  it('answers plain HTTP with 307 to the https address, and does nothing else', async () => {
    await open({ proxies, publicUrl: 'https://pay.example:8443' });
    const answer = await pay('http');
    expect(answer.status).toBe(307);
    expect(answer.headers.get('location')).toBe('https://pay.example:8443/v1/payments');
    expect(harness.line.sent).toEqual([]);
    const read = await harness.send('GET', '/v1/payments/x?entityId=y', {
      headers: { 'x-forwarded-proto': 'http' },
    });
    expect(read.headers.get('location')).toBe('https://pay.example:8443/v1/payments/x?entityId=y');
  });

  it('serves what came to it over https', async () => {
    await open({ proxies });
    expect((await pay('https')).status).toBe(200);
  });

  it('sends clients to the host of their request where none is configured', async () => {
    await open({ proxies });
    expect((await pay('http')).headers.get('location')).toBe('https://127.0.0.1/v1/payments');
  });
});

describe('without one', () => {
  it('trusts no X-Forwarded-Proto', async () => {
    await open({ mode: 'live', publicUrl: 'https://pay.example' });
    for (const claim of ['https', 'http', undefined]) expect((await pay(claim)).status).toBe(307);
    expect(harness.line.sent).toEqual([]);
  });

  it('serves plain HTTP from this machine in test mode', async () => {
    await open({});
    expect((await pay()).status).toBe(200);
    expect((await pay('http')).status).toBe(200);
  });

  it('lets probers see whether it lives', async () => {
    await open({ mode: 'live' });
    expect((await harness.get('/healthz')).status).toBe(200);
    expect((await harness.get('/nothing')).status).toBe(307);
  });
});
