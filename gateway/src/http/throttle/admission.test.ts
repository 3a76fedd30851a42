import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../http-harness.test.support.js';
import { DEFAULT_THROTTLE_RATES } from './throttle.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness(undefined, {
    rates: { ...DEFAULT_THROTTLE_RATES, payments: { perSecond: 0.5, burst: 2 } },
  });
});
afterEach(() => harness.dispose());

const pay = () => harness.post('/v1/payments', CARD);

describe('throttling', () => {
  it('answers 429 with the whole envelope and the time to wait, and sends nothing', async () => {
    expect([(await pay()).status, (await pay()).status]).toEqual([200, 200]);
    const sent = harness.line.sent.length;
    const { status, headers, body } = await pay();
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('2');
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      result: { code: '800.120.100', description: expect.any(String) },
      buildNumber: 'test',
      timestamp: '2026-11-20 12:00:00+0000',
      ndc: expect.stringMatching(/^[A-Za-z0-9-]{1,69}$/),
    });
    expect(harness.line.sent).toHaveLength(sent);
  });

  it('lets requests pass again after the time it named', async () => {
    await pay();
    const { id } = (await pay()).body;
    expect((await pay()).status).toBe(429);
    expect((await harness.get(`/v1/payments/${id}`)).status).toBe(200);
    await harness.clock.advance(2_000);
    expect([(await pay()).status, (await pay()).status]).toEqual([200, 429]);
  });

  it('does not count what has no right to the entity', async () => {
    const body = new URLSearchParams({ entityId: 'a'.repeat(32), ...CARD }).toString();
    for (const _ of Array.from({ length: 5 })) {
      const foreign = await harness.send('POST', '/v1/payments', {
        body,
        authorization: 'Bearer tb_never-issued',
      });
      expect(foreign.status).toBe(403);
    }
    expect((await pay()).status).toBe(200);
  });
});
