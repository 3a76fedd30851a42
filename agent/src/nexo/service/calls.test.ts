import { describe, expect, it } from 'vitest';
import type { StartOutcome } from '../../drivers/core/driver.js';
import { TillRequests } from '../requests/till-requests.js';
import { login } from './login.js';
import { type Answer, NexoHarness, paymentBody } from './nexo-harness.test.support.js';
import type { NexoPorts, TillCall } from './ports.js';
import { Sessions } from './sessions.js';
import { Terminals } from './terminals.js';

const never = () => new Promise<StartOutcome>(() => undefined);
const pairs = (response: Answer) => Object.fromEntries(new URLSearchParams(response.AdditionalResponse));
const TIME = '2026-11-23T08:00:00Z';
const transaction = (TransactionID: string) => ({ SaleTransactionID: { TransactionID, TimeStamp: TIME } });
const reversal = (payment: Answer, more: object = {}) => ({
  OriginalPOITransaction: { POITransactionID: payment.POIData.POITransactionID },
  ReversalReason: 'MerchantCancel',
  ...more,
});

describe('a payment', () => {
  it.each([
    ['Normal', 'Normal', 'sale'],
    ['FirstReservation', 'OneTimeReservation', 'preauthorization'],
    ['OneTimeReservation', 'OneTimeReservation', 'preauthorization'],
    ['Refund', 'Refund', 'refund'],
  ])('of the type %s is a sale of the agent', async (PaymentType, answered, type) => {
    const agent = await new NexoHarness().boot();
    const { PaymentResult, POIData } = await agent.pay('1', 5, { PaymentData: { PaymentType } });
    expect(PaymentResult.PaymentType).toBe(answered);
    const [reference = ''] = POIData.POITransactionID.TransactionID.split('.');
    expect(await agent.sale.service.get(reference)).toMatchObject({
      type,
      till: 'till-1',
      terminalId: '11',
      amount: '5.00',
    });
  });

  it('is a sale where its data name no type, and none of a name that every object has', async () => {
    const agent = await new NexoHarness().boot();
    const untyped = await agent.pay('1', 5, { PaymentData: {} });
    expect(untyped.PaymentResult.PaymentType).toBe('Normal');
    const odd = await agent.pay('2', 5, { PaymentData: { PaymentType: 'constructor' } });
    expect(odd.Response.ErrorCondition).toBe('MessageFormat');
    expect(pairs(odd.Response).message).toContain('PaymentType must be one of Normal, Refund');
  });

  it('may name a cash back of nothing, and conditions without a flag', async () => {
    const agent = await new NexoHarness().boot();
    const { Response } = await agent.pay('1', 5, {
      PaymentTransaction: {
        AmountsReq: { Currency: 'EUR', RequestedAmount: 5, CashBackAmount: 0 },
        TransactionConditions: {},
      },
    });
    expect(Response.Result).toBe('Success');
  });

  it('finds a terminal busy with a sale that no till of this protocol requested', async () => {
    const agent = await new NexoHarness().boot();
    const { reads } = agent.sale.driver();
    agent.sale.driver().reads = never;
    const amount = { minor: 100, currency: 'EUR' };
    const request = { reference: 'web', type: 'sale', amount, terminalId: '11' } as const;
    const running = agent.sale.service.request(request);
    await agent.sale.clock.advance(1_000);
    const { Response, SaleData } = await agent.pay('1');
    expect(Response.ErrorCondition).toBe('Busy');
    expect(pairs(Response)).toEqual({
      message: 'the terminal runs sale web: wait for it, or abort it',
      runningReference: 'web',
    });
    expect(SaleData).toEqual(transaction('t-1'));
    await agent.sale.service.cancel('web');
    await agent.sale.during(running);
    // Nothing was journaled: the ServiceID is free for another transaction.
    agent.sale.driver().reads = reads;
    const free = await agent.during('Payment', paymentBody('another', 5), { ServiceID: '1' });
    expect(free.PaymentResponse.Response.Result).toBe('Success');
  });

  it('that runs is joined by the same request', async () => {
    const agent = await new NexoHarness().boot();
    agent.sale.driver().reads = never;
    const running = agent.pay('1');
    await agent.sale.clock.advance(1_000);
    const joined = agent.pay('1');
    await agent.sale.clock.advance(1_000);
    await agent.during(
      'Abort',
      { AbortReason: 'x', MessageReference: { ServiceID: '1' } },
      { ServiceID: '3' },
    );
    const results = await Promise.all([running, joined]);
    expect(results.map(({ Response }) => Response.ErrorCondition)).toEqual(['Aborted', 'Aborted']);
  });

  it('of another till with the same ServiceID is another request', async () => {
    const agent = await new NexoHarness().boot();
    const [first, second] = await Promise.all([
      agent.pay('1'),
      agent.during('Payment', paymentBody('t', 2), { ServiceID: '1', SaleID: 'till-2' }),
    ]);
    expect(first.Response.Result).toBe('Success');
    const { Response, SaleData } = second.PaymentResponse;
    expect(Response.ErrorCondition).toBe('Busy');
    expect(pairs(Response)).toMatchObject({ runningServiceID: '1', runningSaleID: 'till-1' });
    expect(SaleData).toEqual(transaction('t'));
    // The terminal is free again, and so is the ServiceID.
    const other = { ServiceID: '1', SaleID: 'till-2' };
    const again = await agent.during('Payment', paymentBody('another', 3), other);
    expect(again.PaymentResponse.Response.Result).toBe('Success');
  });

  it('is refused with its own transaction', async () => {
    const agent = await new NexoHarness().boot();
    const { Response, SaleData } = await agent.pay('1', -1);
    expect(Response.ErrorCondition).toBe('MessageFormat');
    expect(SaleData).toEqual(transaction('t-1'));
    const odd = await agent.during('Payment', paymentBody('t', 1, {}, 'yesterday'), { ServiceID: '2' });
    expect(odd.PaymentResponse.Response.ErrorCondition).toBe('MessageFormat');
  });
});

it('answers an unforeseen fault of the agent as one, whatever was requested', async () => {
  const agent = await new NexoHarness().boot();
  const sold = await agent.pay('1');
  const fault = () => Promise.reject(new Error('a fault of ours'));
  Object.assign(agent.sale.service, { request: fault, reverse: fault });
  const payment = await agent.pay('2');
  expect(payment.Response.ErrorCondition).toBe('UnavailableService');
  const { ReversalResponse } = await agent.during('Reversal', reversal(sold), { ServiceID: '3' });
  expect(ReversalResponse.Response.ErrorCondition).toBe('UnavailableService');
});

describe('a reversal', () => {
  it('is named by its own transaction, or by that of the sale', async () => {
    const agent = await new NexoHarness().boot();
    const requests = agent.sale.disk.rows;
    const [first, second, third] = [await agent.pay('1'), await agent.pay('2'), await agent.pay('3')];
    const bodies = [{}, { SaleData: transaction('own') }, { SaleData: { OperatorID: 'Ann' } }];
    for (const [at, sold] of [first, second, third].entries()) {
      const ServiceID = String(5 + at);
      const { ReversalResponse } = await agent.during('Reversal', reversal(sold, bodies[at]), { ServiceID });
      expect(ReversalResponse.Response.Result).toBe('Success');
      expect(ReversalResponse.OriginalPOITransaction).toEqual({
        POITransactionID: sold.POIData.POITransactionID,
      });
    }
    expect(JSON.stringify(requests)).toContain('"own"');
  });

  it('with an amount needs its currency in the data of the sale', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    for (const SaleData of [
      undefined,
      {},
      { SaleToAcquirerData: 5 },
      { SaleToAcquirerData: 'currency=SEK' },
    ]) {
      const body = reversal(sold, { ReversedAmount: 1, ...(SaleData && { SaleData }) });
      const { ReversalResponse } = await agent.during('Reversal', body, { ServiceID: '2' });
      expect(ReversalResponse.Response.ErrorCondition).toBe('MessageFormat');
      expect(pairs(ReversalResponse.Response).message).toContain('currency=EUR');
    }
    expect(agent.sale.ledger.entries.size).toBe(1);
  });

  it('that is refused names the sale', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const body = reversal(sold, { ReversedAmount: 1_000, SaleData: { SaleToAcquirerData: 'currency=EUR' } });
    const { ReversalResponse } = await agent.during('Reversal', body, { ServiceID: '2' });
    expect(ReversalResponse.Response.Result).toBe('Failure');
    expect(ReversalResponse.OriginalPOITransaction).toEqual({
      POITransactionID: sold.POIData.POITransactionID,
    });
  });

  it('of a sale that a till of another protocol has reversed is refused', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const [reference = ''] = sold.POIData.POITransactionID.TransactionID.split('.');
    await agent.sale.during(agent.sale.service.reverse(reference));
    const { ReversalResponse } = await agent.during('Reversal', reversal(sold), { ServiceID: '2' });
    expect(ReversalResponse.Response.ErrorCondition).toBe('NotAllowed');
    const MessageReference = { ServiceID: '2', MessageCategory: 'Reversal' };
    const status = await agent.statusOf('2', { MessageReference });
    expect(status.Response.ErrorCondition).toBe('NotFound');
  });

  it('finds its sale by the reference alone, and none by another payment id', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const { TransactionID, TimeStamp } = sold.POIData.POITransactionID;
    const [reference] = TransactionID.split('.');
    const by = async (id: string) => {
      const OriginalPOITransaction = { POITransactionID: { TransactionID: id, TimeStamp } };
      const answer = await agent.during('Reversal', reversal(sold, { OriginalPOITransaction }), {
        ServiceID: '2',
      });
      return answer.ReversalResponse.Response;
    };
    expect((await by(`no-sale.${'0'.repeat(32)}`)).ErrorCondition).toBe('NotFound');
    expect((await by(reference)).Result).toBe('Success');
  });

  it('of a sale that is being reversed is refused', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const [reference = ''] = sold.POIData.POITransactionID.TransactionID.split('.');
    agent.sale.wire.set('down');
    const reversing = agent.sale.service.reverse(reference);
    await agent.sale.clock.advance(1_000);
    const { ReversalResponse } = await agent.during('Reversal', reversal(sold), { ServiceID: '2' });
    expect(ReversalResponse.Response.ErrorCondition).toBe('NotAllowed');
    expect(pairs(ReversalResponse.Response).message).toContain('being reversed');
    agent.sale.wire.set('up');
    await agent.sale.during(reversing);
  });

  it('is refused while nothing can be recorded', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    agent.sale.journal.fail('disk-full');
    const { ReversalResponse } = await agent.during('Reversal', reversal(sold), { ServiceID: '2' });
    expect(ReversalResponse.Response.ErrorCondition).toBe('UnavailableService');
    agent.sale.journal.repair();
    await agent.sale.clock.advance(0);
    const { ReversalResponse: again } = await agent.during('Reversal', reversal(sold), { ServiceID: '2' });
    expect(again.Response.Result).toBe('Success');
  });
});

describe('the status', () => {
  const answerOf = (status: Answer) => status.RepeatedMessageResponse.RepeatedResponseMessageBody;

  it('of a refund of a part is its answer, with the sale that it is of', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const body = reversal(sold, { ReversedAmount: 2.34, SaleData: { SaleToAcquirerData: 'currency=EUR' } });
    const { ReversalResponse } = await agent.during('Reversal', body, { ServiceID: '2' });
    const { PaymentReceipt: _, ...rest } = ReversalResponse;
    const MessageReference = { ServiceID: '2', MessageCategory: 'Reversal' };
    const status = await agent.statusOf('2', { MessageReference });
    expect(status.MessageReference).toEqual({
      MessageCategory: 'Reversal',
      ServiceID: '2',
      SaleID: 'till-1',
      POIID: '11',
    });
    expect(status.RepeatedMessageResponse.MessageHeader).toEqual({
      ProtocolVersion: '3.0',
      MessageClass: 'Service',
      MessageType: 'Response',
      ...status.MessageReference,
    });
    expect(answerOf(status).ReversalResponse).toEqual(rest);
    // The last one of its category.
    const last = await agent.during('TransactionStatus', {
      MessageReference: { MessageCategory: 'Reversal' },
    });
    expect(last.TransactionStatusResponse.MessageReference.ServiceID).toBe('2');
  });

  it('of a request that was journaled, and not begun, is not found', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const [original = ''] = sold.POIData.POITransactionID.TransactionID.split('.');
    const { journal, clock } = agent.sale;
    const requests = new TillRequests(journal, clock);
    const wish = { saleId: 'till-1', terminalId: '11', poiId: '11', transactionId: 't', timeStamp: TIME };
    await requests.begin({ ...wish, serviceId: '7', category: 'Reversal', original });
    await requests.begin({ ...wish, serviceId: '8', category: 'Payment' });
    // The agent was killed in between.
    await agent.crash();
    const statusOf = async (ServiceID: string, MessageCategory: string) =>
      (await agent.statusOf(ServiceID, { MessageReference: { ServiceID, MessageCategory } })).Response;
    expect((await statusOf('7', 'Reversal')).ErrorCondition).toBe('NotFound');
    expect((await statusOf('8', 'Payment')).ErrorCondition).toBe('NotFound');
    expect((await statusOf('1', 'Payment')).Result).toBe('Success');
  });

  it.each(['Input', 'Login', 'TransactionStatus'])(
    'of a request of %s is not found',
    async (MessageCategory) => {
      const agent = await new NexoHarness().boot();
      await agent.pay('1');
      const MessageReference = { ServiceID: '1', MessageCategory };
      expect((await agent.statusOf('1', { MessageReference })).Response.ErrorCondition).toBe('NotFound');
    },
  );

  it('of a sale under way has what it waits for, and which it is', async () => {
    const agent = await new NexoHarness().boot();
    agent.sale.driver().reads = never;
    const running = agent.pay('1');
    await agent.sale.clock.advance(1_000);
    const status = await agent.statusOf('1');
    expect(status.Response.ErrorCondition).toBe('InProgress');
    expect(pairs(status.Response).message).not.toBe('');
    expect(status.MessageReference).toMatchObject({ MessageCategory: 'Payment', ServiceID: '1' });
    expect(status).not.toHaveProperty('RepeatedMessageResponse');
    await agent.during(
      'Abort',
      { AbortReason: 'x', MessageReference: { ServiceID: '1' } },
      { ServiceID: '3' },
    );
    await running;
  });

  it.each([
    [{ DocumentQualifier: ['CustomerReceipt'] }, []],
    [{ ReceiptReprintFlag: false, DocumentQualifier: ['CustomerReceipt'] }, []],
    [{ ReceiptReprintFlag: true }, ['CashierReceipt', 'CustomerReceipt']],
    [{ ReceiptReprintFlag: true, DocumentQualifier: [] }, ['CashierReceipt', 'CustomerReceipt']],
    [{ ReceiptReprintFlag: true, DocumentQualifier: ['CashierReceipt'] }, ['CashierReceipt']],
    [{ ReceiptReprintFlag: true, DocumentQualifier: ['Journal'] }, []],
  ])('with %j has the receipts %j', async (wish, kinds) => {
    const agent = await new NexoHarness().boot();
    await agent.pay('1');
    const { PaymentReceipt = [] } = answerOf(await agent.statusOf('1', wish)).PaymentResponse;
    expect(PaymentReceipt.map((each: Answer) => each.DocumentQualifier)).toEqual(kinds);
  });
});

describe('a login', () => {
  it('is answered with the terminal as it is', async () => {
    const agent = await new NexoHarness().boot();
    const { LoginResponse } = await agent.during('Login', {});
    expect(LoginResponse.POISystemData).toEqual({
      DateTime: new Date(agent.sale.clock.nowMs()).toISOString(),
      POISoftware: {
        ManufacturerID: 'tillbridge',
        ApplicationName: 'tillbridge-agent',
        SoftwareVersion: '1',
        CertificationCode: 'none',
      },
      POITerminalData: {
        TerminalEnvironment: 'Attended',
        POICapabilities: [
          'CustomerError',
          'MagStripe',
          'ICC',
          'EMVContactless',
          'CustomerDisplay',
          'CustomerInput',
        ],
        POISerialNumber: expect.any(String),
      },
      POIStatus: expect.objectContaining({ GlobalStatus: 'OK' }),
    });
    const { LogoutResponse } = await agent.during('Logout', {});
    expect(LogoutResponse).toEqual({ Response: { Result: 'Success' } });
  });

  it.each([
    ['the serial of its maker', { serial: 'S-9', model: 'M' }, 'S-9'],
    ['its id, where no maker has named it', undefined, '11'],
  ])('names a terminal by %s', async (_, identity, serial) => {
    const agent = await new NexoHarness().boot();
    const [terminal] = agent.sale.service.terminals();
    if (!terminal) throw new Error('the harness has no terminal');
    const { identity: __, ...rest } = terminal;
    const view = { ...rest, ...(identity && { identity }) } as typeof terminal;
    const ports = {
      sessions: new Sessions(),
      terminals: new Terminals({ terminals: () => [view] }),
      clock: agent.sale.clock,
      version: '1',
    } as unknown as NexoPorts;
    const header = { SaleID: 'till-1', POIID: '11' };
    const answer = (await login({ header } as unknown as TillCall, ports)) as Answer;
    expect(answer.POISystemData.POITerminalData.POISerialNumber).toBe(serial);
  });
});
