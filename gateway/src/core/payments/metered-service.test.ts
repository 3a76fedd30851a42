import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meteredService } from './metered-service.js';
import {
  followUp,
  message,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  tillReversal,
  tillSale,
} from './payment-harness.test.support.js';
import type { PaymentService } from './payment-service.js';

let harness: PaymentHarness;
let registry: Registry;
let service: PaymentService;
beforeEach(async () => {
  harness = await openPaymentHarness();
  registry = new Registry();
  service = meteredService(harness.service, registry, harness.clock);
});
afterEach(() => harness.dispose());

async function counted(): Promise<string[]> {
  const text = await registry.getSingleMetricAsString('tillbridge_gateway_payments_total');
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) => line.replace(/^tillbridge_gateway_payments_total/, ''));
}

test('every request is counted by type, channel and outcome', async () => {
  const { paymentId } = await service.authorize(restPayment());
  await service.followUp(followUp('CP', paymentId, 100));
  await service.authorize(tillSale('m1', 'R-1'));
  await service.authorize(tillSale('m1', 'R-2'));
  await service.followUp(tillReversal('m3', 'm2'));
  await service.authorize(tillSale('m2', 'R-2'));
  expect(await counted()).toEqual([
    '{type="PA",channel="rest",outcome="approved"} 1',
    '{type="CP",channel="rest",outcome="approved"} 1',
    '{type="DB",channel="bridge",outcome="approved"} 1',
    '{type="DB",channel="bridge",outcome="content-changed"} 1',
    '{type="RV",channel="bridge",outcome="nothing-to-reverse"} 1',
    '{type="DB",channel="bridge",outcome="tombstoned"} 1',
  ]);
});

test('what has no answer is counted by its reason, and thrown on', async () => {
  harness.line.cut = true;
  await expect(service.authorize(restPayment({ type: 'DB' }))).rejects.toThrow('not known');
  const stale = tillSale('m1', 'R-1', { origin: message('m1', 0, 0) });
  await expect(service.authorize(stale)).rejects.toThrow('newer session');
  expect(await counted()).toEqual([
    '{type="DB",channel="rest",outcome="later"} 1',
    '{type="DB",channel="bridge",outcome="superseded"} 1',
  ]);
});
