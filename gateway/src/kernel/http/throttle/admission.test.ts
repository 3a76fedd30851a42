import { rawRequest } from '@tillbridge/platform/http/raw-request.test.support.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { entityRow } from '../../../core/entities/entities.js';
import { overTime } from '../../../core/payments/harness-clock.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { REFUSAL_LIMITS } from './admission.js';
import { DEFAULT_THROTTLE_RATES } from './throttle.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness(undefined, {
    rates: { ...DEFAULT_THROTTLE_RATES, payments: { perSecond: 0.05, burst: 2 } },
  });
});
afterEach(() => harness.dispose());

/** Refusals are held back for a moment: the clock passes it. */
const timely = <T>(work: Promise<T>): Promise<T> => overTime(harness.clock, work);
const pay = () => timely(harness.post('/v1/payments', CARD));

describe('throttling', () => {
  it('answers 429 with the whole envelope and the time to wait, and sends nothing', async () => {
    expect([(await pay()).status, (await pay()).status]).toEqual([200, 200]);
    const sent = harness.line.sent.length;
    const { status, headers, body } = await pay();
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('20');
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      result: { code: '800.120.100', description: expect.any(String) },
      buildNumber: 'test',
      timestamp: '2026-11-20 12:00:01+0000',
      ndc: expect.stringMatching(/^[A-Za-z0-9-]{1,69}$/),
    });
    expect(harness.line.sent).toHaveLength(sent);
  });

  it('lets requests pass again after the time it named', async () => {
    await pay();
    const { id } = (await pay()).body;
    expect((await pay()).status).toBe(429);
    expect((await harness.get(`/v1/payments/${id}`)).status).toBe(200);
    await harness.clock.advance(20_000);
    expect([(await pay()).status, (await pay()).status]).toEqual([200, 429]);
  });

  it('counts a merchant with all of its channels, whichever token and entity its requests name', async () => {
    const channels = ['c', 'd', 'e'].map((letter) => letter.repeat(32));
    for (const id of channels) {
      const row = entityRow(id, 'Channel', ENTITY, 1);
      await harness.store.commit([{ op: 'insert', table: 'entities', row }]);
      await addToken(harness.store, `tb_${id}`, ['pay'], { entityId: id, merchantId: ENTITY });
    }
    const statuses: number[] = [];
    for (const id of channels) {
      const body = new URLSearchParams({ ...CARD, entityId: id }).toString();
      for (const token of [TOKEN, `tb_${id}`])
        statuses.push(
          (await timely(harness.send('POST', '/v1/payments', { body, authorization: `Bearer ${token}` })))
            .status,
        );
    }
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
  });

  it('does not count what another merchant sends in its name', async () => {
    await addToken(harness.store, 'tb_other', ['pay'], { entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY });
    const body = new URLSearchParams({ entityId: ENTITY, ...CARD }).toString();
    const statuses: number[] = [];
    for (const token of ['tb_other', 'tb_other', 'tb_other', 'tb_never-issued'])
      statuses.push(
        (await timely(harness.send('POST', '/v1/payments', { body, authorization: `Bearer ${token}` })))
          .status,
      );
    expect(statuses).toEqual([403, 403, 429, 403]);
    expect((await pay()).status).toBe(200);
  });

  it('refuses before it reads a body', async () => {
    await pay();
    await pay();
    const head = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 1000000`;
    const { status } = await timely(rawRequest(harness.url, `POST /v1/payments HTTP/1.1\r\n${head}\r\n\r\n`));
    expect(status).toBe(429);
  });

  it('holds a refusal back, so that a client which does not wait can send few', async () => {
    await pay();
    await pay();
    const beforeMs = harness.clock.monotonicMs();
    expect((await pay()).status).toBe(429);
    expect(harness.clock.monotonicMs() - beforeMs).toBeGreaterThanOrEqual(REFUSAL_LIMITS.delayMs);
  });
});
