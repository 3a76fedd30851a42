import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PaymentDesk } from './desk.js';
import {
  type DeskWorld,
  followUp,
  message,
  openDeskWorld,
  restPayment,
  tillReversal,
  tillSale,
} from './desk-world.test.support.js';
import { meteredDesk } from './metered-desk.js';

let world: DeskWorld;
let registry: Registry;
let desk: PaymentDesk;
beforeEach(async () => {
  world = await openDeskWorld();
  registry = new Registry();
  desk = meteredDesk(world.desk, registry, world.clock);
});
afterEach(() => world.dispose());

async function counted(): Promise<string[]> {
  const text = await registry.getSingleMetricAsString('tillbridge_gateway_payments_total');
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#') && line !== '')
    .map((line) => line.replace(/^tillbridge_gateway_payments_total/, ''));
}

test('every request is counted by type, door and outcome', async () => {
  const { paymentId } = await desk.authorize(restPayment());
  await desk.followUp(followUp('CP', paymentId, 100));
  await desk.authorize(tillSale('m1', 'R-1'));
  await desk.authorize(tillSale('m1', 'R-2'));
  await desk.followUp(tillReversal('m3', 'm2'));
  await desk.authorize(tillSale('m2', 'R-2'));
  expect(await counted()).toEqual([
    '{type="PA",door="rest",outcome="approved"} 1',
    '{type="CP",door="rest",outcome="approved"} 1',
    '{type="DB",door="bridge",outcome="approved"} 1',
    '{type="DB",door="bridge",outcome="content-changed"} 1',
    '{type="RV",door="bridge",outcome="nothing-to-reverse"} 1',
    '{type="DB",door="bridge",outcome="tombstoned"} 1',
  ]);
});

test('what has no answer is counted by its reason, and thrown on', async () => {
  world.line.cut = true;
  await expect(desk.authorize(restPayment({ type: 'DB' }))).rejects.toThrow('not known');
  const stale = tillSale('m1', 'R-1', { origin: message('m1', 0, 0) });
  await expect(desk.authorize(stale)).rejects.toThrow('newer session');
  expect(await counted()).toEqual([
    '{type="DB",door="rest",outcome="later"} 1',
    '{type="DB",door="bridge",outcome="superseded"} 1',
  ]);
});
