import { VISA } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { afterEach, expect, it } from 'vitest';
import { LinkedGateway } from './linked-gateway.js';
import { payingAt } from './paying.js';

const APPROVED = '000.100.112';

let gateway: LinkedGateway;
afterEach(() => gateway.close());

const { pay, follow } = payingAt(() => gateway);

it('pays, refunds and reverses over a line without authentication codes', async () => {
  gateway = await LinkedGateway.open('1987-binary', 'test', { macMethod: 'none', privateLine: true });
  const { id } = await pay();
  expect((await follow('RF', id, 100)).code).toBe(APPROVED);
  gateway.strike({ name: 'silent' });
  await pay();
  expect(gateway.codes).toEqual(gateway.codes.map(() => undefined));
  expect(gateway.sent.filter(({ kind }) => kind === 'reversal')).toMatchObject([{ pan: VISA }]);
  expect(gateway.bad).toEqual([]);
  expect(await gateway.differences()).toEqual([]);
});

it('takes no message without a code where its line has codes', async () => {
  gateway = await LinkedGateway.open('1987-binary', 'test', {}, { macMethod: 'none' });
  await pay();
  expect(gateway.bad).toContain('a wrong authentication code');
});
