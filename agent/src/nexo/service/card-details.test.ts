import { describe, expect, it } from 'vitest';
import type { CardFacts } from '../../drivers/core/driver.js';
import { chipCard } from '../../sale/sale.test.support.js';
import { EVERY_TILL, NEXO_RIGHTS, type NexoCaller } from '../keys/caller.js';
import { type Answer, NexoHarness } from './nexo-harness.test.support.js';

// Expiry and sequence number of a card, for keys with the right to them alone.

const WITH_DETAILS: NexoCaller = { rights: NEXO_RIGHTS };
const EXPIRY = '3107';
const READ: Partial<CardFacts> = { expiry: EXPIRY, panSequenceNumber: '02' };
const DETAILS = { CardSeqNumb: '02', ExpiryDate: '0731' };
const ACQUISITION = {
  SaleData: { SaleTransactionID: { TransactionID: 'c', TimeStamp: '2026-11-23T08:00:00Z' } },
  CardAcquisitionTransaction: { TotalAmount: 5 },
};

const dataOf = (answer: Answer) => answer.PaymentInstrumentData.CardData;

/** An agent whose terminal reads a card with these details. */
async function agentWith(facts: Partial<CardFacts>, caller: NexoCaller): Promise<NexoHarness> {
  const agent = await new NexoHarness().boot();
  const card = chipCard();
  const read = { ...card, facts: { ...card.facts, ...facts } };
  agent.sale.driver().reads = () => ({ kind: 'online-required', card: read });
  agent.sale.driver().readsOutsideSale = () => ({ kind: 'card', facts: read.facts });
  agent.caller = caller;
  return agent;
}

const detailsOf = async (facts: Partial<CardFacts>) => {
  const agent = await agentWith(facts, WITH_DETAILS);
  return dataOf((await agent.pay('1')).PaymentResult).SensitiveCardData;
};

describe('the key of a till without the right to card details', () => {
  it.each([
    ['every right of tills', EVERY_TILL],
    ['one right', { rights: ['sell'] } as NexoCaller],
  ])('has no expiry and no sequence number, with %s', async (_name, caller) => {
    const agent = await agentWith(READ, caller);
    const answers = [
      await agent.pay('1'),
      await agent.statusOf('1'),
      await agent.during('CardAcquisition', ACQUISITION, { ServiceID: '2' }),
    ];
    expect(dataOf(answers[0].PaymentResult).MaskedPan).toBe('476173 **** 0119');
    const text = JSON.stringify(answers);
    for (const detail of ['SensitiveCardData', '"0731"', EXPIRY]) expect(text).not.toContain(detail);
  });
});

describe('the key of a till with the right to card details', () => {
  it('has both in the answer to a payment, to the same one after a restart, and to a status request', async () => {
    const agent = await agentWith(READ, WITH_DETAILS);
    expect(dataOf((await agent.pay('1')).PaymentResult)).toEqual({
      EntryMode: ['ICC'],
      MaskedPan: '476173 **** 0119',
      PaymentBrand: 'visa',
      SensitiveCardData: DETAILS,
    });
    await agent.crash();
    expect(dataOf((await agent.pay('1')).PaymentResult).SensitiveCardData).toEqual(DETAILS);
    const { RepeatedMessageResponse: repeated } = await agent.statusOf('1');
    const { PaymentResponse } = repeated.RepeatedResponseMessageBody;
    expect(dataOf(PaymentResponse.PaymentResult).SensitiveCardData).toEqual(DETAILS);
  });

  it('has both of a card that is read without a payment', async () => {
    const agent = await agentWith(READ, WITH_DETAILS);
    const { CardAcquisitionResponse } = await agent.during('CardAcquisition', ACQUISITION);
    expect(dataOf(CardAcquisitionResponse).SensitiveCardData).toEqual(DETAILS);
  });

  it.each([
    ['only an expiry', { expiry: '2912' }, { ExpiryDate: '1229' }],
    ['a sequence number of one digit', { panSequenceNumber: '1' }, { CardSeqNumb: '01' }],
    ['a month that is none', { expiry: '2913', panSequenceNumber: '01' }, { CardSeqNumb: '01' }],
    ['no digits', { expiry: '', panSequenceNumber: 'x' }, undefined],
    ['nothing', {}, undefined],
  ])('has what the card gave: %s', async (_name, facts, expected) => {
    expect(await detailsOf(facts)).toEqual(expected);
  });

  it('has none of the sale of another till', async () => {
    const agent = await agentWith(READ, WITH_DETAILS);
    await agent.pay('1');
    agent.caller = { saleIds: ['till-2'], rights: NEXO_RIGHTS };
    const named = { MessageReference: { ServiceID: '1', SaleID: 'till-1' } };
    const answer = await agent.statusOf('1', named, { SaleID: 'till-2' });
    expect(answer.Response.ErrorCondition).toBe('NotFound');
    expect(JSON.stringify(answer)).not.toContain('0731');
  });

  it('finds them nowhere else: not in the log, in the answer of the sale service or in its events', async () => {
    const agent = await agentWith(READ, WITH_DETAILS);
    const { service } = agent.sale.runner;
    const events: object[] = [];
    service.onEvent((event) => void events.push(event));
    await agent.pay('1');
    // Refused, so that something is logged.
    await agent.during('Reversal', {}, { ServiceID: '2' });
    expect(agent.logged).not.toEqual([]);
    const { sales } = await service.sales({ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER }, 0, 10);
    expect(sales).toHaveLength(1);
    const text = JSON.stringify([agent.logged, events, sales]);
    for (const detail of [EXPIRY, '0731', 'panSequenceNumber']) expect(text).not.toContain(detail);
  });
});
