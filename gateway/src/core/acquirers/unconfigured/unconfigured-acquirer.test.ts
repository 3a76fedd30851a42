import { expect, it } from 'vitest';
import { type AcquirerMoneyRequest, AcquirerUnreachableError, type MoneyRequestKind } from '../acquirer.js';
import { UnconfiguredAcquirer } from './unconfigured-acquirer.js';

const acquirer = new UnconfiguredAcquirer();
const request = (kind: MoneyRequestKind, more: Partial<AcquirerMoneyRequest> = {}): AcquirerMoneyRequest => ({
  kind,
  acquirerReference: '1'.repeat(32),
  amount: { minor: 100, currency: 'EUR' },
  ...more,
});

it.each(['authorization', 'capture', 'refund', 'increment', 'credit'] as const)(
  'refuses a request of kind %s as a fault of the installation',
  async (kind) => {
    expect(await acquirer.send(request(kind))).toEqual({
      approved: false,
      resultCode: '600.200.201',
      responseCode: '92',
    });
  },
);

it('has nothing to reverse, and knows of nothing', async () => {
  const references = { acquirerReference: '2'.repeat(32), originalReference: '1'.repeat(32) };
  expect(await acquirer.send({ kind: 'reversal', ...references })).toMatchObject({ approved: true });
  expect(await acquirer.status()).toEqual({ state: 'unknown' });
});

it.each([request('advice'), request('authorization', { deferred: true })])(
  'leaves a sale that was decided offline to its agent (%#)',
  async (offline) => {
    await expect(acquirer.send(offline)).rejects.toBeInstanceOf(AcquirerUnreachableError);
  },
);
