import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAlerts } from '../../../kernel/alerts/alerts.test.support.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import {
  AGENT,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  tillReversal,
  tillSale,
} from '../payment-harness.test.support.js';
import { GatewayPaymentService } from '../service.js';

describe('a database that was put back from an older copy', () => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness();
  });
  afterEach(() => harness.dispose());

  const standing = async () =>
    (await harness.transactions()).filter((one) => one.kind !== 'reversal' && one.approved && !one.reversed);

  /** Everything since the first merchant and agent is forgotten; the acquirer keeps its own ledger. */
  async function forget(): Promise<void> {
    const store = new MemoryStore();
    for (const table of ['entities', 'agents'] as const) {
      for (const row of await harness.store.findAfter(table, undefined))
        await store.commit([{ op: 'insert', table, row: { ...row, version: 1 } as never }]);
    }
    await harness.service.stop();
    harness.mayDiffer = true;
    harness.service = new GatewayPaymentService({ ...harness.context, store });
  }

  const record = () =>
    tillSale('m1', 'R-1', {
      origin: message('m1', 1),
      offline: { kind: 'deferred', decidedAtMs: NOW_MS },
    });

  it('takes a record that comes again to the same transaction', async () => {
    const first = await harness.service.authorize(record());
    await forget();
    const again = await harness.service.authorize(record());
    expect(again).toEqual(first);
    expect(await standing()).toHaveLength(1);
  });

  it('reverses at the acquirer what it does not know itself', async () => {
    await harness.service.authorize(tillSale('m1', 'R-1'));
    await forget();
    const reversal = await harness.service.followUp(tillReversal('m2', 'm1'));
    expect(reversal).toMatchObject({ disposition: 'reversed' });
    expect(await standing()).toEqual([]);
    expect(harness.faults).toContain('a forgotten payment is reversed');
    expect(await openAlerts(harness.store)).toEqual([`payment-forgotten ${AGENT}`]);
    expect(await harness.service.followUp(tillReversal('m3', 'm1', 2))).toMatchObject({
      disposition: 'reversed',
    });
    // The stored answer from now on, and the sale stays out.
    expect(await harness.service.followUp(tillReversal('m2', 'm1'))).toEqual(reversal);
    expect((await harness.service.authorize(tillSale('m1', 'R-1'))).disposition).toBe('refused');
    expect((await harness.transactions()).filter((one) => one.kind === 'reversal')).toHaveLength(2);
  });

  it('reverses it once, whatever is repeated', async () => {
    await harness.service.authorize(tillSale('m1', 'R-1'));
    await forget();
    await harness.service.followUp(tillReversal('m2', 'm1'));
    await forget();
    expect(await harness.service.followUp(tillReversal('m2', 'm1'))).toMatchObject({
      disposition: 'reversed',
    });
    expect((await harness.transactions()).filter((one) => one.kind === 'reversal')).toHaveLength(1);
  });

  it('does not say that nothing happened while the acquirer is silent', async () => {
    await harness.service.authorize(tillSale('m1', 'R-1'));
    await forget();
    harness.line.cut = true;
    await expect(harness.service.followUp(tillReversal('m2', 'm1'))).rejects.toBeInstanceOf(TryLaterError);
    harness.line.cut = false;
    expect(await harness.service.followUp(tillReversal('m2', 'm1'))).toMatchObject({
      disposition: 'reversed',
    });
  });

  it.each([99_999, 1, undefined])(
    'reverses what stands, when the till names %s minor units',
    async (minor) => {
      await harness.service.authorize(tillSale('m1', 'R-1'));
      await forget();
      const { amount: _, ...reversal } = tillReversal('m2', 'm1');
      const named = minor === undefined ? reversal : { ...reversal, amount: { minor, currency: 'EUR' } };
      expect(await harness.service.followUp(named)).toMatchObject({ disposition: 'reversed' });
      expect(await standing()).toEqual([]);
    },
  );

  it('is refused by the acquirer when nothing is left to reverse, and leaves that to a person', async () => {
    await harness.service.authorize(tillSale('m1', 'R-1', { type: 'PA' }));
    await harness.service.followUp({
      origin: message('m2', 1),
      type: 'CP',
      target: { by: 'message', messageId: 'm1' },
      amount: { minor: 1_234, currency: 'EUR' },
    });
    await forget();
    expect(await harness.service.followUp(tillReversal('m3', 'm1', 2))).toMatchObject({
      disposition: 'refused',
      resultCode: '700.400.300',
    });
    expect(await standing()).toHaveLength(2);
  });

  it('still answers that there was nothing, where the acquirer knows nothing either', async () => {
    await forget();
    expect(await harness.service.followUp(tillReversal('m2', 'm1'))).toMatchObject({
      disposition: 'nothing-to-reverse',
    });
    expect(await harness.transactions()).toEqual([]);
  });
});
