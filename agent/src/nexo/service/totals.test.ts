import { expect, it } from 'vitest';
import { type Answer, NexoHarness, paymentBody } from './nexo-harness.test.support.js';

it('gives the totals of the terminal of the message, or of one that is named', async () => {
  const agent = await new NexoHarness().boot();
  await agent.pay('1', 2);
  const totals = async (body: object) => (await agent.during('GetTotals', body)).GetTotalsResponse;
  expect(await totals({})).toMatchObject({
    TransactionTotals: [{ POIID: '11', PaymentCurrency: 'EUR', CardBrand: 'visa' }],
  });
  expect(await totals({ TotalFilter: { POIID: '11' } })).toEqual(await totals({}));
  expect((await totals({ TotalFilter: { POIID: '99' } })).Response.Result).not.toBe('Success');
});

it('names no brand where no card is known', async () => {
  const agent = await new NexoHarness().boot();
  let end: () => void = () => undefined;
  agent.sale.driver().reads = () =>
    new Promise((resolve) => {
      end = () => resolve({ kind: 'cancelled', by: 'till' });
    });
  const paying = agent.send('Payment', paymentBody('t', 2), { ServiceID: '1' });
  await agent.sale.clock.advance(1_000);
  const { GetTotalsResponse } = await agent.during('GetTotals', {});
  const { AdditionalResponse } = GetTotalsResponse.Response;
  expect(AdditionalResponse).toContain('running.EUR=1');
  expect(GetTotalsResponse.TransactionTotals).toHaveLength(1);
  expect(GetTotalsResponse.TransactionTotals[0]).not.toHaveProperty('CardBrand');
  end();
  await agent.sale.during(paying);
});

it('states which reconciliation it answers', async () => {
  const agent = await new NexoHarness().boot();
  const types = ['SaleReconciliation', 'AcquirerReconciliation'];
  const answers: Answer[] = [];
  for (const ReconciliationType of types)
    answers.push((await agent.during('Reconciliation', { ReconciliationType })).ReconciliationResponse);
  expect(answers.map(({ ReconciliationType }) => ReconciliationType)).toEqual(types);
});

it('gives the totals of a terminal to a key with the right to report alone', async () => {
  const agent = await new NexoHarness().boot();
  const answerTo = async (rights: readonly ('sell' | 'report')[]) => {
    agent.caller = { rights };
    const { GetTotalsResponse } = await agent.during('GetTotals', {});
    return GetTotalsResponse.Response.ErrorCondition ?? GetTotalsResponse.Response.Result;
  };
  expect([await answerTo(['sell']), await answerTo(['report'])]).toEqual(['NotAllowed', 'Success']);
});
