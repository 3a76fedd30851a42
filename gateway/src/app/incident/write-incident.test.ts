import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, NOW_MS, storeOf } from '../../core/payments/payment-harness.test.support.js';
import { CARD, type HttpHarness, openHttpHarness } from '../http/http-harness.test.support.js';
import type { GatewayIncident } from './gateway-incident.js';
import { writeIncident } from './write-incident.js';

describe.each(ENGINES)('the export of a payment, on the %s store', (engine) => {
  let harness: HttpHarness;
  let folder: string;
  beforeEach(async () => {
    harness = await openHttpHarness(storeOf(engine));
    folder = mkdtempSync(join(tmpdir(), 'gateway-incident-'));
  });
  afterEach(async () => {
    await harness.dispose();
    rmSync(folder, { recursive: true });
  });

  const write = (paymentId: string, name = 'incident.json') =>
    writeIncident(harness.store, { paymentId, output: join(folder, name), nowMs: NOW_MS });
  const idOf = ({ id }: { readonly id: string }) => id;
  const amount = (value: string) => ({ amount: value, currency: 'EUR' });

  it('has what follows it, whichever of them is named, and nothing of card and shopper', async () => {
    const { post } = harness;
    const { body: held } = await post('/v1/payments', {
      ...CARD,
      paymentType: 'PA',
      'card.holder': 'Jane Doe',
    });
    const { body: capture } = await post(`/v1/payments/${held.id}`, { paymentType: 'CP', ...amount('6.00') });
    await post(`/v1/payments/${capture.id}`, { paymentType: 'RF', ...amount('2.00') });
    const { path, payments } = await write(held.id);
    expect(payments).toBe(3);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('Jane');
    expect(text).not.toContain(CARD['card.number']);
    const { content } = JSON.parse(text) as { readonly content: GatewayIncident };
    expect(content.payments.map(({ type }) => type).sort()).toEqual(['CP', 'PA', 'RF']);
    expect(content.payments.map(({ shortId }) => shortId)).toEqual(['', '', '']);
    expect(content.intents).toHaveLength(3);
    expect(content.events.map(({ kind, payload }) => [kind, payload])).toEqual(
      Array.from({ length: 3 }, () => ['payment', '{}']),
    );
    const other = JSON.parse(readFileSync((await write(capture.id, 'other.json')).path, 'utf8'));
    expect(other.content.payments.map(idOf).sort()).toEqual(content.payments.map(idOf).sort());
  });

  it('masks a reference with the digits of a card number, and names it', async () => {
    const merchantTransactionId = '4200 0000 0000 0000';
    const { body } = await harness.post('/v1/payments', { ...CARD, merchantTransactionId });
    const { path, masked } = await write(body.id);
    expect(masked).toEqual([
      'payments.0.reference: it looks like a card number, and stands as "masked value 1" wherever it was',
    ]);
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain(merchantTransactionId);
    const { content } = JSON.parse(text) as { readonly content: GatewayIncident };
    expect(content.payments.map(({ reference }) => reference)).toEqual(['masked value 1']);
  });

  it('names a payment that is not there, and replaces no file', async () => {
    await expect(write('nothing')).rejects.toThrow('there is no payment nothing');
    const { body } = await harness.post('/v1/payments', CARD);
    await write(body.id);
    await expect(write(body.id)).rejects.toThrow('EEXIST');
  });
});
