import { systemRandom } from '@tillbridge/platform/system-random.js';
import { expect, it } from 'vitest';
import { CARD } from '../../app/http/http-harness.test.support.js';
import { openReceiver, openWebhookHarness } from '../../features/webhooks/webhook-harness.test.support.js';
import { runOutbox } from './run-outbox.js';

it('calls the notificationUrl of a payment also where neither mail nor alerts are configured', async () => {
  const harness = await openWebhookHarness();
  const receiver = await openReceiver();
  await harness.post('/v1/payments', { ...CARD, notificationUrl: receiver.url });
  const stops: (() => Promise<void>)[] = [];
  const faults: unknown[] = [];
  const background = {
    repeat: () => undefined,
    declare: () => undefined,
    run: (loop: { wake(): void; stop(): Promise<void> }) => {
      stops.push(() => loop.stop());
      loop.wake();
    },
    faultOf: () => (error: unknown) => void faults.push(error),
  };
  runOutbox(
    background,
    { alerts: { mailTo: [] } },
    {
      ...harness.webhooks,
      clock: harness.clock,
      random: systemRandom,
      node: { id: 'node', othersEnded: 0, mayTake: async () => false },
    },
  );
  await receiver.has(1);
  for (const stop of stops) await stop();
  await receiver.close();
  await harness.dispose();
  expect(faults).toEqual([]);
});
