import { describe, expect, it } from 'vitest';
import type { StartOutcome } from '../../drivers/core/driver.js';
import { EVERY_TILL, type NexoCaller } from '../keys/caller.js';
import { type Answer, NexoHarness, paymentBody } from './nexo-harness.test.support.js';

// A key of till-2 acts for till-2 alone, whatever its messages name.

const TILL_2: NexoCaller = { saleIds: ['till-2'], rights: ['sell', 'refund', 'report'] };
const OWN = { SaleID: 'till-2' };
const never = () => new Promise<StartOutcome>(() => undefined);

/** A sale of till-1, and a request for it under a key of till-2. */
async function shop() {
  const agent = await new NexoHarness().boot();
  const sold = await agent.pay('1');
  agent.caller = TILL_2;
  return { agent, sold };
}

/** What was logged as a warning or worse. */
const faults = ({ logged }: NexoHarness) =>
  logged.map((line) => JSON.parse(line) as { readonly level: number }).filter(({ level }) => level >= 40);

const reversal = (sold: Answer, more: object = {}) => ({
  OriginalPOITransaction: { POITransactionID: sold.POIData.POITransactionID },
  ReversalReason: 'MerchantCancel',
  ...more,
});

describe('a key of one till', () => {
  it('sells only for its own till', async () => {
    const { agent } = await shop();
    const foreign = await agent.pay('2');
    expect(foreign.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'NotAllowed' });
    const own = await agent.during('Payment', paymentBody('t', 2), { ...OWN, ServiceID: '2' });
    expect(own.PaymentResponse.Response.Result).toBe('Success');
    expect(agent.sale.ledger.entries.size).toBe(2);
  });

  it.each(['Login', 'Logout', 'Diagnosis', 'Reversal', 'TransactionStatus', 'GetTotals', 'CardAcquisition'])(
    'is refused %s in the name of another',
    async (category) => {
      const { agent } = await shop();
      const answer = await agent.during(category, {}, { ServiceID: '3' });
      expect(answer[`${category}Response`].Response.ErrorCondition).toBe('NotAllowed');
    },
  );

  it('gets an event when it aborts in the name of another', async () => {
    const { agent } = await shop();
    const body = { AbortReason: 'x', MessageReference: { ServiceID: '1' } };
    const { EventNotification } = await agent.during('Abort', body, { ServiceID: '3' });
    expect(EventNotification.EventToNotify).toBe('Reject');
  });

  it('finds no sale of another to reverse or refund, and no money moves', async () => {
    const { agent, sold } = await shop();
    const SaleData = { SaleToAcquirerData: 'currency=EUR' };
    for (const more of [{}, { ReversedAmount: 1, SaleData }]) {
      const { ReversalResponse } = await agent.during('Reversal', reversal(sold, more), {
        ...OWN,
        ServiceID: '4',
      });
      expect(ReversalResponse.Response.ErrorCondition).toBe('NotFound');
    }
    expect(agent.sale.ledger.entries.size).toBe(1);
    agent.caller = EVERY_TILL;
    const { ReversalResponse } = await agent.during('Reversal', reversal(sold), { ...OWN, ServiceID: '5' });
    expect(ReversalResponse.Response.Result).toBe('Success');
  });

  it('learns nothing of a request of another', async () => {
    const { agent } = await shop();
    const status = (MessageReference: object) =>
      agent.during('TransactionStatus', { MessageReference }, { ...OWN, ServiceID: '6' });
    for (const named of [
      { ServiceID: '1', SaleID: 'till-1' },
      { SaleID: 'till-1' },
      { ServiceID: '1' },
      {},
    ]) {
      const { Response, RepeatedMessageResponse } = (await status(named)).TransactionStatusResponse;
      expect(Response.ErrorCondition).toBe('NotFound');
      expect(RepeatedMessageResponse).toBeUndefined();
    }
  });

  it('aborts no request of another', async () => {
    const agent = await new NexoHarness().boot();
    agent.sale.driver().reads = never;
    const running = agent.pay('1');
    await agent.sale.clock.advance(1_000);
    const MessageReference = { ServiceID: '1', SaleID: 'till-1' };
    const abort = () =>
      agent.during('Abort', { AbortReason: 'x', MessageReference }, { ...OWN, ServiceID: '7' });
    agent.caller = TILL_2;
    expect(await abort()).toBeUndefined();
    expect(agent.sale.driver().log).not.toContain('cancel');
    agent.caller = EVERY_TILL;
    expect(await abort()).toBeUndefined();
    expect((await running).Response.ErrorCondition).toBe('Aborted');
  });

  it('is not kept from an answer by a sale that cannot be read, and the log has the reason', async () => {
    const agent = await new NexoHarness().boot();
    await agent.pay('1');
    // The sale has ended, so it is not in memory any more.
    agent.sale.journal.fail('disk-full');
    const MessageReference = { ServiceID: '1', SaleID: 'till-1' };
    const body = { AbortReason: 'x', MessageReference };
    expect(await agent.during('Abort', body, { ServiceID: '7' })).toBeUndefined();
    expect(faults(agent)).toMatchObject([
      { msg: 'abort not possible', reference: expect.stringMatching(/^nexo-1-/), err: expect.anything() },
    ]);
  });

  it('aborts no card work of another', async () => {
    const agent = await new NexoHarness().boot();
    let cancel: () => void = () => undefined;
    agent.sale.driver().readsOutsideSale = () =>
      new Promise((resolve) => {
        cancel = () => resolve({ kind: 'cancelled', by: 'till' });
      });
    const SaleData = { SaleTransactionID: { TransactionID: 'c', TimeStamp: '2026-11-23T08:00:00Z' } };
    const acquire = { SaleData, CardAcquisitionTransaction: { TotalAmount: 5 } };
    const reading = agent.send('CardAcquisition', acquire, { ServiceID: '5' });
    await agent.sale.clock.advance(1_000);
    const MessageReference = { MessageCategory: 'CardAcquisition', ServiceID: '5', SaleID: 'till-1' };
    const abort = (more: object = {}) =>
      agent.during(
        'Abort',
        { AbortReason: 'x', MessageReference: { ...MessageReference, ...more } },
        { ...OWN, ServiceID: '7' },
      );
    agent.caller = TILL_2;
    expect(await abort()).toBeUndefined();
    expect(agent.sale.driver().log).not.toContain('cancel');
    agent.caller = EVERY_TILL;
    for (const wrong of [{ ServiceID: '6' }, { SaleID: 'till-2' }, { MessageCategory: 'Input' }])
      expect(await abort(wrong)).toBeUndefined();
    expect(agent.sale.driver().log).not.toContain('cancel');
    await abort();
    expect(agent.sale.driver().log).toContain('cancel');
    cancel();
    expect((await agent.sale.during(reading)).CardAcquisitionResponse.Response.ErrorCondition).toBe(
      'Aborted',
    );
    // Nothing is read any more, and no such sale is known.
    for (const over of [{}, { MessageCategory: 'Payment', ServiceID: '99' }])
      expect(await abort(over)).toBeUndefined();
    expect(agent.sale.driver().log.filter((line) => line === 'cancel')).toHaveLength(1);
    // Neither is a fault.
    expect(faults(agent)).toEqual([]);
  });

  it('does what its rights allow', async () => {
    const { agent } = await shop();
    const ask = async (rights: NexoCaller['rights'], category: string, body: object) => {
      agent.caller = { ...TILL_2, rights };
      const answer = await agent.during(category, body, { ...OWN, ServiceID: '8' });
      return answer[`${category}Response`].Response.ErrorCondition ?? 'Success';
    };
    const sale = paymentBody('t', 2);
    const refund = paymentBody('t', 2, { PaymentData: { PaymentType: 'Refund' } });
    expect(await ask(['refund'], 'Payment', sale)).toBe('NotAllowed');
    expect(await ask(['sell'], 'Payment', refund)).toBe('NotAllowed');
    expect(await ask(['sell'], 'Reversal', {})).toBe('NotAllowed');
    expect(await ask(['sell'], 'GetTotals', {})).toBe('NotAllowed');
    expect(await ask(['sell'], 'GetTotals', { TotalFilter: { SaleID: 'till-1' } })).toBe('NotAllowed');
    expect(await ask(['sell'], 'GetTotals', { TotalFilter: OWN })).toBe('Success');
    const reconciliation = { ReconciliationType: 'SaleReconciliation' };
    expect(await ask(['sell'], 'Reconciliation', reconciliation)).toBe('NotAllowed');
    expect(await ask(['report'], 'Reconciliation', reconciliation)).toBe('Success');
    expect(await ask(['sell'], 'Payment', sale)).toBe('Success');
  });
});
