import { afterEach, beforeEach, expect, it } from 'vitest';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import {
  ENTITY,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../payment-harness.test.support.js';
import { PAYMENT_LIMITS } from './payment-context.js';

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
});
afterEach(() => harness.dispose());

/** A payment with an unknown outcome: the line was cut before the acquirer received the request. */
async function openPayment(): Promise<string> {
  harness.line.cut = true;
  const error = await harness.service.authorize(restPayment()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TryLaterError);
  return (error as TryLaterError).paymentId ?? '';
}

it('queries the acquirer for a payment without an outcome, and answers with its status', async () => {
  const id = await openPayment();
  expect((await harness.service.lookUp(id, ENTITY))?.state).toBe('pending');
  harness.line.cut = false;
  expect((await harness.service.lookUp(id, OTHER_ENTITY))?.state).toBeUndefined();
  expect((await harness.service.find(id, ENTITY))?.state).toBe('pending');
  expect(await harness.service.lookUp(id, ENTITY)).toMatchObject({
    state: 'declined',
    resultCode: '900.100.301',
  });
});

it('waits for the acquirer no longer than its limit', async () => {
  const id = await openPayment();
  harness.line.status = () => new Promise(() => undefined);
  const found = harness.service.lookUp(id, ENTITY);
  await harness.clock.advance(PAYMENT_LIMITS.lookUpWaitMs);
  expect((await found)?.state).toBe('pending');
  harness.restart();
});

it('leaves a payment that is being made to the request that makes it', async () => {
  let open = (): void => undefined;
  harness.line.gate = new Promise((resolve) => {
    open = resolve;
  });
  const paying = harness.service.authorize(restPayment());
  await expect.poll(() => harness.line.sent.length).toBe(1);
  const [intent] = await harness.store.find('intents', 'state', ['open']);
  expect((await harness.service.lookUp(intent?.paymentId ?? '', ENTITY))?.state).toBe('pending');
  open();
  expect((await paying).disposition).toBe('approved');
  expect((await harness.service.lookUp(intent?.paymentId ?? '', ENTITY))?.state).toBe('authorized');
  expect(harness.line.sent).toHaveLength(1);
});
