import { describe, expect, it } from 'vitest';
import type { StartOutcome } from '../../drivers/core/driver.js';
import { noSaleRow } from '../../journal/journal.js';
import { chipCard, OFFLINE_POLICY } from '../../sale/sale.test.support.js';
import { TillRequests } from '../requests/till-requests.js';
import { type Answer, NexoHarness, paymentBody } from './nexo-harness.test.support.js';

const never = () => new Promise<StartOutcome>(() => undefined);
const pairs = (response: Answer) => Object.fromEntries(new URLSearchParams(response.AdditionalResponse));
const reversalBody = (payment: Answer, more: object = {}) => ({
  OriginalPOITransaction: { POITransactionID: payment.POIData.POITransactionID },
  ReversalReason: 'MerchantCancel',
  ...more,
});

describe('Payment', () => {
  it('sells, and answers with all that a till prints', async () => {
    const agent = await new NexoHarness().boot();
    const { Response, PaymentResult, PaymentReceipt, POIData, SaleData } = await agent.pay('1');
    expect(Response.Result).toBe('Success');
    expect(pairs(Response)).toMatchObject({ message: 'Approved.', cardSummary: '0119', tid: '11' });
    expect(PaymentResult).toMatchObject({
      AmountsResp: { AuthorizedAmount: 12.34, Currency: 'EUR' },
      OnlineFlag: true,
      PaymentAcquirerData: { AcquirerPOIID: '11', MerchantID: 'SHOP' },
      PaymentInstrumentData: {
        PaymentInstrumentType: 'Card',
        CardData: { EntryMode: ['ICC'], MaskedPan: '476173 **** 0119', PaymentBrand: 'visa' },
      },
    });
    expect(SaleData.SaleTransactionID.TransactionID).toBe('t-1');
    expect(POIData.POITransactionID.TransactionID).toMatch(/^nexo-1-[0-9a-f]{16}\..+$/);
    expect(PaymentReceipt.map((each: Answer) => each.DocumentQualifier)).toEqual([
      'CashierReceipt',
      'CustomerReceipt',
    ]);
    const texts = PaymentReceipt[0].OutputContent.OutputText.map(({ Text }: Answer) => Text);
    expect(texts.slice(0, 3)).toEqual([
      'key=header1&name=Shop',
      'key=merchantTitle&name=MERCHANT%20COPY',
      'key=txtype&name=SALE',
    ]);
    expect(texts).toContain('key=totalAmount&name=Amount&value=EUR%2012.34');
    expect(texts).toContain('key=pan&name=Card&value=************0119');
    expect(texts).toContain('key=approved&name=APPROVED');
    expect(texts.join('\n')).toMatch(
      /key=txdate&name=Date&value=\d{4}-\d\d-\d\d\nkey=txtime&name=Time&value=\d\d%3A\d\d%3A\d\d%20UTC/,
    );
    expect(agent.sale.faults).toEqual([]);
  });

  it('gives the same answer to the same ServiceID, also after a restart, and never sells twice', async () => {
    const agent = await new NexoHarness().boot();
    const first = await agent.pay('1');
    expect(await agent.pay('1')).toEqual(first);
    await agent.crash();
    expect(await agent.pay('1')).toEqual(first);
    expect(agent.sale.ledger.entries.size).toBe(1);
  });

  it('makes one sale of calls at once', async () => {
    const agent = await new NexoHarness().boot();
    const answers = await Promise.all([agent.pay('1'), agent.pay('1'), agent.pay('1')]);
    expect(new Set(answers.map((each) => each.POIData.POITransactionID.TransactionID)).size).toBe(1);
    expect(agent.sale.ledger.entries.size).toBe(1);
  });

  it('leaves the ServiceID of a call free that finds the terminal busy, also where both come at once', async () => {
    const agent = await new NexoHarness().boot();
    const [first, second] = await Promise.all([agent.pay('1'), agent.pay('2')]);
    expect([first.Response.Result, second.Response.ErrorCondition]).toEqual(['Success', 'Busy']);
    expect(pairs(second.Response)).toMatchObject({ runningServiceID: '1', runningSaleID: 'till-1' });
    const header = { ServiceID: '2' };
    const { PaymentResponse } = await agent.during('Payment', paymentBody('another', 5), header);
    expect(PaymentResponse.Response.Result).toBe('Success');
  });

  it('refuses a ServiceID of another transaction of the same till and terminal for 48 hours', async () => {
    const agent = await new NexoHarness({ terminals: ['11', '22'] }).boot();
    await agent.pay('1');
    const other = (header: object, time?: string) =>
      agent.during('Payment', paymentBody('t-other', 5, {}, time), { ServiceID: '1', ...header });
    expect((await other({})).PaymentResponse.Response.ErrorCondition).toBe('NotAllowed');
    expect((await other({ SaleID: 'till-2' })).PaymentResponse.Response.Result).toBe('Success');
    expect((await other({ POIID: '22' })).PaymentResponse.Response.Result).toBe('Success');
    await agent.sale.clock.advance(49 * 3_600_000);
    expect((await other({})).PaymentResponse.Response.Result).toBe('Success');
    expect(agent.sale.ledger.entries.size).toBe(4);
  });

  it('is one request for ever, at any time of the clock', async () => {
    const agent = await new NexoHarness().boot();
    const first = await agent.pay('1');
    await agent.sale.clock.advance(30 * 86_400_000);
    await agent.crash();
    expect((await agent.pay('1')).POIData).toEqual(first.POIData);
    expect(agent.sale.ledger.entries.size).toBe(1);
  });

  it('refuses the same request with another amount', async () => {
    const agent = await new NexoHarness().boot();
    await agent.pay('1');
    expect((await agent.pay('1', 12.35)).Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'NotAllowed',
    });
  });

  it('names the running request while the terminal is busy, which can then be aborted', async () => {
    const agent = await new NexoHarness().boot();
    agent.sale.driver().reads = never;
    const running = agent.pay('1');
    await agent.sale.clock.advance(1_000);
    const { Response } = await agent.pay('2');
    expect(Response.ErrorCondition).toBe('Busy');
    expect(pairs(Response)).toMatchObject({ runningServiceID: '1', runningSaleID: 'till-1' });
    expect((await agent.statusOf('1')).Response.ErrorCondition).toBe('InProgress');
    const MessageReference = { ServiceID: pairs(Response).runningServiceID };
    expect(
      await agent.during('Abort', { AbortReason: 'MerchantAbort', MessageReference }, { ServiceID: '3' }),
    ).toBe(undefined);
    expect((await running).Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'Aborted' });
    expect((await agent.statusOf('1')).RepeatedMessageResponse.RepeatedResponseMessageBody).toMatchObject({
      PaymentResponse: { Response: { ErrorCondition: 'Aborted' } },
    });
    // The refused request was not journaled: its ServiceID is free.
    expect((await agent.statusOf('2')).Response.ErrorCondition).toBe('NotFound');
    expect(agent.sale.ledger.entries.size).toBe(0);
  });

  it.each([
    ['an amount as text', { AmountsReq: { Currency: 'EUR', RequestedAmount: '1.00' } }, 'RequestedAmount'],
    ['no amount', { AmountsReq: { Currency: 'EUR' } }, 'RequestedAmount'],
    ['no currency', { AmountsReq: { RequestedAmount: 1 } }, 'Currency'],
    [
      'more cash back than is requested',
      { AmountsReq: { Currency: 'EUR', RequestedAmount: 1, CashBackAmount: 5 } },
      'CashBackAmount must leave something of the amount',
    ],
    [
      'a tip as text',
      { AmountsReq: { Currency: 'EUR', RequestedAmount: 1, TipAmount: '0.10' } },
      'TipAmount',
    ],
  ])('refuses %s', async (_what, PaymentTransaction, named) => {
    const agent = await new NexoHarness().boot();
    const { Response, SaleData } = await agent.pay('1', 1, { PaymentTransaction });
    expect(Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'MessageFormat' });
    expect(pairs(Response).message).toContain(named);
    expect(SaleData.SaleTransactionID.TransactionID).toBe('t-1');
    expect(agent.sale.disk.rows.filter(({ kind }) => kind === 'accepted')).toEqual([]);
  });

  it('refuses what the store does not allow, and an unknown terminal', async () => {
    const agent = await new NexoHarness().boot();
    const wrong = await agent.during('Payment', paymentBody('t', 1), { POIID: '99' });
    expect(pairs(wrong.PaymentResponse.Response).message).toContain('there are 11');
    const refund = await agent.pay('2', 5, { PaymentData: { PaymentType: 'Refund' } });
    expect(refund.PaymentResult.PaymentType).toBe('Refund');
    const unknown = await agent.pay('3', 5, { PaymentData: { PaymentType: 'PaidOut' } });
    expect(unknown.Response.ErrorCondition).toBe('MessageFormat');
  });

  it('finds a terminal by model and id too, and recognizes one request by both names', async () => {
    const agent = await new NexoHarness().boot();
    const first = await agent.pay('1');
    const again = await agent.during('Payment', paymentBody('t-1', 12.34), {
      ServiceID: '1',
      POIID: 'PPC930-11',
    });
    expect(again.PaymentResponse.POIData).toEqual(first.POIData);
    expect(agent.sale.ledger.entries.size).toBe(1);
  });

  it('sells only online where the till forces it', async () => {
    const agent = await new NexoHarness().boot();
    agent.sale.wire.set('down');
    const { Response } = await agent.pay('1', 5, {
      PaymentTransaction: {
        AmountsReq: { Currency: 'EUR', RequestedAmount: 5 },
        TransactionConditions: { ForceOnlineFlag: true },
      },
    });
    expect(Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'UnreachableHost' });
    const offline = await agent.pay('2', 5);
    expect(offline.Response.Result).toBe('Success');
    expect(offline.PaymentResult.OnlineFlag).toBe(false);
    expect(offline.PaymentResult.PaymentAcquirerData.ApprovalCode).toBeUndefined();
    expect(pairs(offline.Response).offline).toBe('offline-card');
  });
});

describe('an approval for less', () => {
  it('is answered as partial, with the approved amount', async () => {
    const policy = { ...OFFLINE_POLICY, partialApproval: 'accept' as const };
    const agent = await new NexoHarness({ policy }).boot();
    agent.sale.ledger.word = () => 'half';
    const { Response, PaymentResult } = await agent.pay('1', 10);
    expect(Response.Result).toBe('Partial');
    expect(PaymentResult.AmountsResp.AuthorizedAmount).toBe(5);
  });

  it('is reversed, and answered and printed with the approved amount', async () => {
    const policy = { ...OFFLINE_POLICY, partialApproval: 'accept' as const };
    const agent = await new NexoHarness({ policy }).boot();
    agent.sale.ledger.word = () => 'half';
    const sold = await agent.pay('1', 10);
    const { ReversalResponse } = await agent.during('Reversal', reversalBody(sold), { ServiceID: '2' });
    expect(ReversalResponse).toMatchObject({ Response: { Result: 'Success' }, ReversedAmount: 5 });
    const lines = JSON.stringify(ReversalResponse.PaymentReceipt);
    expect(lines).toContain('key=totalAmount&name=Amount&value=EUR%205.00');
    expect(lines).toContain('key=ofTotal&name=Of%20a%20total%20of&value=EUR%2010.00');
  });
});

describe('Reversal', () => {
  it('reverses a sale once, and is found again after a restart', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const reverse = () => agent.during('Reversal', reversalBody(sold), { ServiceID: '2' });
    const { ReversalResponse } = await reverse();
    expect(ReversalResponse.Response.Result).toBe('Success');
    expect(ReversalResponse.ReversedAmount).toBe(12.34);
    await agent.crash();
    expect((await reverse()).ReversalResponse).toEqual(ReversalResponse);
    const found = await agent.statusOf('2', {
      MessageReference: { ServiceID: '2', MessageCategory: 'Reversal' },
    });
    expect(found.RepeatedMessageResponse.RepeatedResponseMessageBody.ReversalResponse.Response.Result).toBe(
      'Success',
    );
    expect((await agent.statusOf('1')).RepeatedMessageResponse).toMatchObject({
      RepeatedResponseMessageBody: { PaymentResponse: { Response: { ErrorCondition: 'Cancel' } } },
    });
    expect(agent.sale.ledger.standing('nexo-1')).toHaveLength(0);
  });

  it('of a sale that another request has reversed is refused, and leaves its ServiceID free', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const other = await agent.pay('5');
    const reverse = (ServiceID: string, payment = sold) =>
      agent.during('Reversal', reversalBody(payment), { ServiceID });
    const { ReversalResponse } = await reverse('2');
    expect(ReversalResponse.Response.Result).toBe('Success');
    const second = (await reverse('3')).ReversalResponse;
    expect(second.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'NotAllowed' });
    expect(decodeURIComponent(second.Response.AdditionalResponse)).toContain('is reversed already');
    expect((await reverse('2')).ReversalResponse).toEqual(ReversalResponse);
    expect((await reverse('3', other)).ReversalResponse.Response.Result).toBe('Success');
  });

  it('by two requests at once succeeds for one of them', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const reverse = (ServiceID: string) => agent.send('Reversal', reversalBody(sold), { ServiceID });
    const both = await agent.sale.during(Promise.all([reverse('2'), reverse('3'), reverse('2')]));
    const results = both.map(
      ({ ReversalResponse: { Response } }) => Response.ErrorCondition ?? Response.Result,
    );
    expect(results).toEqual(['Success', 'NotAllowed', 'Success']);
  });

  it('with an amount refunds that part, in the currency that the till names', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const refund = (added: string, ServiceID: string) => {
      const SaleData = {
        SaleTransactionID: { TransactionID: `r-${ServiceID}`, TimeStamp: '2026-11-23T08:00:00Z' },
        SaleToAcquirerData: added,
      };
      return agent.during('Reversal', reversalBody(sold, { ReversedAmount: 2.34, SaleData }), { ServiceID });
    };
    const wrong = (await refund('tenderOption=x', '2')).ReversalResponse.Response;
    expect(wrong.ErrorCondition).toBe('MessageFormat');
    expect(pairs(wrong).message).toContain('currency=EUR');
    const { ReversalResponse } = await refund('currency=EUR', '3');
    expect(ReversalResponse.Response.Result).toBe('Success');
    expect(ReversalResponse.ReversedAmount).toBe(2.34);
    const json = Buffer.from('{"currency":"EUR"}').toString('base64');
    expect((await refund(json, '4')).ReversalResponse.Response.Result).toBe('Success');
    expect((await refund(json, '4')).ReversalResponse.Response.Result).toBe('Success');
    expect(agent.sale.ledger.entries.size).toBe(3);
  });

  it('refuses a sale that is not there, or that another payment id names', async () => {
    const agent = await new NexoHarness().boot();
    const sold = await agent.pay('1');
    const { TransactionID, TimeStamp } = sold.POIData.POITransactionID;
    const [reference] = TransactionID.split('.');
    for (const id of ['no-sale', `${reference}.${'0'.repeat(32)}`]) {
      const body = {
        ...reversalBody(sold),
        OriginalPOITransaction: { POITransactionID: { TransactionID: id, TimeStamp } },
      };
      const { ReversalResponse } = await agent.during('Reversal', body, { ServiceID: '2' });
      expect(ReversalResponse.Response.ErrorCondition).toBe('NotFound');
    }
    const { ReversalResponse } = await agent.during('Reversal', {
      ...reversalBody(sold),
      ReversalReason: 'Mood',
    });
    expect(ReversalResponse.Response.ErrorCondition).toBe('MessageFormat');
  });
});

describe('TransactionStatus', () => {
  it('knows a request that is journaled right now', async () => {
    const { journal, clock } = (await new NexoHarness().boot()).sale;
    const requests = new TillRequests(journal, clock);
    const key = { saleId: 'till-1', terminalId: '11', serviceId: '1' };
    const wish = { ...key, category: 'Payment', poiId: '11', transactionId: 't', timeStamp: '2026' } as const;
    const beginning = requests.begin(wish);
    expect(await requests.find(key, 'Payment')).toEqual(await beginning);
  });

  it('repeats the answer, with its receipts where the till requests them', async () => {
    const agent = await new NexoHarness().boot();
    const { PaymentReceipt, ...sold } = await agent.pay('1');
    await agent.crash();
    const plain = await agent.statusOf('1');
    expect(plain.Response.Result).toBe('Success');
    expect(plain.RepeatedMessageResponse).toMatchObject({
      MessageHeader: { MessageCategory: 'Payment', ServiceID: '1', SaleID: 'till-1', POIID: '11' },
      RepeatedResponseMessageBody: { PaymentResponse: sold },
    });
    const body = (answer: Answer) =>
      answer.RepeatedMessageResponse.RepeatedResponseMessageBody.PaymentResponse;
    expect(body(plain).PaymentReceipt).toBeUndefined();
    const reprint = await agent.statusOf('1', {
      ReceiptReprintFlag: true,
      DocumentQualifier: ['CustomerReceipt'],
    });
    const [again] = body(reprint).PaymentReceipt;
    expect(again.DocumentQualifier).toBe('CustomerReceipt');
    const linesOf = (receipt: Answer) => receipt.OutputContent.OutputText.map(({ Text }: Answer) => Text);
    const added = linesOf(again).filter((line: string) => !linesOf(PaymentReceipt[1]).includes(line));
    expect(added).toEqual([
      'key=reprint&name=***%20DUPLICATE%20***',
      expect.stringContaining('key=printed&name=Printed&value='),
    ]);
    const both = await agent.statusOf('1', { ReceiptReprintFlag: true });
    expect(body(both).PaymentReceipt).toHaveLength(2);
  });

  it('without a reference gives the last payment of this till, also after a restart', async () => {
    const agent = await new NexoHarness().boot();
    await agent.pay('1');
    await agent.during('Payment', paymentBody('x', 3), { ServiceID: '7', SaleID: 'till-2' });
    await agent.pay('2', 2);
    const last = async () =>
      (await agent.during('TransactionStatus', {}, { ServiceID: '9' })).TransactionStatusResponse
        .MessageReference;
    expect(await last()).toMatchObject({ ServiceID: '2', SaleID: 'till-1' });
    await agent.crash();
    expect(await last()).toMatchObject({ ServiceID: '2', SaleID: 'till-1' });
    // A repeat is no new request, and others may have filled the journal meanwhile.
    await agent.pay('1');
    expect(await last()).toMatchObject({ ServiceID: '2' });
    const { journal, clock } = agent.sale;
    const rows = Array.from({ length: 256 }, () => noSaleRow('noted', {}));
    for (let write = 0; write < 20; write += 1) await journal.append({ atMs: clock.nowMs(), rows });
    await agent.crash();
    expect(await last()).toMatchObject({ ServiceID: '2' });
  });

  it('finds nothing of others', async () => {
    const agent = await new NexoHarness({ terminals: ['11', '22'] }).boot();
    await agent.pay('1');
    for (const header of [{ SaleID: 'till-2' }, { POIID: '22' }])
      expect((await agent.statusOf('1', {}, header)).Response.ErrorCondition).toBe('NotFound');
    const category = { MessageReference: { ServiceID: '1', MessageCategory: 'Reversal' } };
    expect((await agent.statusOf('1', category)).Response.ErrorCondition).toBe('NotFound');
    const named = { MessageReference: { ServiceID: '1', SaleID: 'till-1', POIID: '11' } };
    expect((await agent.statusOf('1', named, { SaleID: 'till-2', POIID: '22' })).Response.Result).toBe(
      'Success',
    );
  });
});

describe('devices of the terminal', () => {
  const header = { MessageClass: 'Device' };
  const output = (Device: string, OutputFormat = 'Text') => ({
    Device,
    InfoQualify: 'Display',
    OutputContent: { OutputFormat, OutputText: [{ Text: 'THANK YOU' }, { Text: 'GOODBYE' }] },
  });
  const conditions = (answer: Answer) =>
    answer.DisplayResponse.OutputResult.map(
      ({ Response }: Answer) => Response.ErrorCondition ?? Response.Result,
    );

  it('show texts on the display of the customer', async () => {
    const agent = await new NexoHarness().boot();
    const DisplayOutput = [
      output('CustomerDisplay'),
      output('CashierDisplay'),
      output('CustomerDisplay', 'XHTML'),
    ];
    const answer = await agent.during('Display', { DisplayOutput }, header);
    expect(conditions(answer)).toEqual(['Success', 'UnavailableDevice', 'UnavailableDevice']);
    expect(agent.sale.driver().log).toContain('display THANK YOU GOODBYE');
  });

  it('are left alone while a sale runs', async () => {
    const agent = await new NexoHarness().boot();
    agent.sale.driver().reads = never;
    const running = agent.pay('1');
    await agent.sale.clock.advance(1_000);
    const answer = await agent.during('Display', { DisplayOutput: [output('CustomerDisplay')] }, header);
    expect(conditions(answer)).toEqual(['Busy']);
    await agent.sale.service.cancel((await agent.sale.service.status()).open[0]?.reference ?? '');
    await running;
  });

  const inputBody = (InputCommand: string, more: object = {}, content: object = {}) => ({
    DisplayOutput: { ...output('CustomerDisplay'), ...content },
    InputData: { Device: 'CustomerInput', InfoQualify: 'Input', InputCommand, ...more },
  });
  const ask = async (agent: NexoHarness, body: object) =>
    (await agent.during('Input', body, { ...header, ServiceID: undefined, DeviceID: '7' })).InputResponse
      .InputResult;
  const predefined = (ReferenceID: string) => ({
    OutputContent: { OutputFormat: 'MessageRef', PredefinedContent: { ReferenceID } },
  });
  const menu = {
    MenuEntry: [
      { OutputFormat: 'Text', OutputText: [{ Text: 'Tea' }] },
      { OutputFormat: 'Text', OutputText: [{ Text: 'Coffee' }] },
    ],
  };

  it('are not there where the maker has them not', async () => {
    const agent = await new NexoHarness().boot();
    expect(await ask(agent, inputBody('GetConfirmation'))).toMatchObject({
      Device: 'CustomerInput',
      Response: { ErrorCondition: 'UnavailableDevice' },
    });
    const OutputContent = {
      OutputFormat: 'Text',
      OutputText: [{ Text: 'Tea' }, { Text: '' }, { Text: 'Milk' }],
    };
    const PrintOutput = { DocumentQualifier: 'Document', ResponseMode: 'PrintEnd', OutputContent };
    const { PrintResponse } = await agent.during('Print', { PrintOutput }, header);
    expect(PrintResponse).toMatchObject({ Response: { ErrorCondition: 'UnavailableDevice' } });
  });

  it.each([
    [
      'GetConfirmation',
      inputBody('GetConfirmation'),
      { kind: 'confirm', confirmed: false },
      { ConfirmedFlag: false },
    ],
    ['GetAnyKey', inputBody('GetAnyKey'), { kind: 'confirm', confirmed: true }, {}],
    [
      'GetMenuEntry',
      inputBody('GetMenuEntry', {}, menu),
      { kind: 'choose', option: 1 },
      { MenuEntryNumber: [2] },
    ],
    [
      'DigitString',
      inputBody('DigitString', { MinLength: 3, MaxLength: 9 }, predefined('phone')),
      { kind: 'digits', digits: '0301234' },
      { DigitInput: '0301234' },
    ],
  ] as const)('ask a person by %s', async (InputCommand, body, answer, expected) => {
    const agent = await new NexoHarness().boot();
    agent.sale.driver().answers = () => ({ kind: 'answered', answer });
    const { Input, Response } = await ask(agent, body);
    expect(Response).toEqual({ Result: 'Success' });
    expect(Input).toEqual({ InputCommand, ...expected });
  });

  it.each([
    ['digits by a text of the till', inputBody('DigitString'), 'UnavailableDevice'],
    ['digits by an unknown text', inputBody('DigitString', {}, predefined('pin')), 'UnavailableDevice'],
    ['a password', inputBody('Password'), 'UnavailableDevice'],
    ['a wait for ever', inputBody('GetConfirmation', { MaxInputTime: 9_999 }), 'MessageFormat'],
    ['a menu without options', inputBody('GetMenuEntry'), 'MessageFormat'],
    [
      'fewer digits than one',
      inputBody('DigitString', { MinLength: -1 }, predefined('phone')),
      'MessageFormat',
    ],
  ])('refuse to ask a person for %s', async (_what, body, condition) => {
    const agent = await new NexoHarness().boot();
    agent.sale.driver().answers = () => {
      throw new Error('the person was asked');
    };
    expect((await ask(agent, body)).Response.ErrorCondition).toBe(condition);
  });

  it('ask until the till aborts, and nothing else meanwhile', async () => {
    const agent = await new NexoHarness().boot();
    let end: () => void = () => undefined;
    agent.sale.driver().answers = () =>
      new Promise((resolve) => {
        end = () => resolve({ kind: 'cancelled', by: 'till' });
      });
    const asking = agent.send('Input', inputBody('GetConfirmation'), { ...header, DeviceID: '7' });
    await agent.sale.clock.advance(1_000);
    expect((await ask(agent, inputBody('GetConfirmation'))).Response.ErrorCondition).toBe('Busy');
    expect((await agent.pay('9')).Response.ErrorCondition).toBe('Busy');
    const MessageReference = { MessageCategory: 'Input', ServiceID: '1' };
    await agent.during('Abort', { AbortReason: 'x', MessageReference }, { ServiceID: '8' });
    expect(agent.sale.driver().log).toContain('cancel');
    end();
    const { InputResponse } = await agent.sale.during(asking);
    expect(InputResponse.InputResult.Response.ErrorCondition).toBe('Aborted');
  });

  const SaleData = { SaleTransactionID: { TransactionID: 'c', TimeStamp: '2026-11-23T08:00:00Z' } };
  const acquire = { SaleData, CardAcquisitionTransaction: { TotalAmount: 5 } };

  it('read a card without a payment, where the maker has that', async () => {
    const agent = await new NexoHarness().boot();
    const without = await agent.during('CardAcquisition', acquire);
    expect(without.CardAcquisitionResponse.Response.ErrorCondition).toBe('UnavailableDevice');
    agent.sale.driver().readsOutsideSale = () => ({ kind: 'card', facts: chipCard().facts });
    const { CardAcquisitionResponse } = await agent.during('CardAcquisition', acquire);
    expect(CardAcquisitionResponse).toMatchObject({
      Response: { Result: 'Success' },
      PaymentInstrumentData: { CardData: { MaskedPan: '476173 **** 0119', EntryMode: ['ICC'] } },
    });
    expect(agent.sale.ledger.entries.size).toBe(0);
  });

  it('are busy while a card is read, until its till aborts that', async () => {
    const agent = await new NexoHarness().boot();
    let cancel: () => void = () => undefined;
    agent.sale.driver().readsOutsideSale = () =>
      new Promise((resolve) => {
        cancel = () => resolve({ kind: 'cancelled', by: 'till' });
      });
    const reading = agent.send('CardAcquisition', acquire, { ServiceID: '5' });
    await agent.sale.clock.advance(1_000);
    const again = await agent.during('CardAcquisition', acquire, { ServiceID: '6' });
    expect(pairs(again.CardAcquisitionResponse.Response).runningServiceID).toBe('5');
    const busy = (await agent.pay('7')).Response;
    expect([busy.ErrorCondition, pairs(busy).runningServiceID]).toEqual(['Busy', '5']);
    // Nothing was journaled: the ServiceID is free for another transaction.
    expect((await agent.statusOf('7')).Response.ErrorCondition).toBe('NotFound');
    const abort = (SaleID: string) => {
      const MessageReference = { MessageCategory: 'CardAcquisition', ServiceID: '5', SaleID };
      return agent.during('Abort', { AbortReason: 'x', MessageReference }, { ServiceID: '8' });
    };
    await abort('till-2');
    expect(agent.sale.driver().log).not.toContain('cancel');
    await abort('till-1');
    expect(agent.sale.driver().log).toContain('cancel');
    cancel();
    expect((await agent.sale.during(reading)).CardAcquisitionResponse.Response.ErrorCondition).toBe(
      'Aborted',
    );
    expect((await agent.pay('7', 9)).Response.Result).toBe('Success');
  });
});

describe('other requests', () => {
  it('log tills in and out, and tell how the terminal stands', async () => {
    const agent = await new NexoHarness().boot();
    const { LoginResponse } = await agent.during('Login', { OperatorLanguage: 'en' });
    expect(LoginResponse).toMatchObject({
      Response: { Result: 'Success' },
      POISystemData: {
        POIStatus: { GlobalStatus: 'OK' },
        POITerminalData: {
          TerminalEnvironment: 'Attended',
          POICapabilities: expect.arrayContaining(['ICC', 'CustomerDisplay', 'CustomerInput']),
        },
      },
    });
    const diagnose = async () =>
      (await agent.during('Diagnosis', { HostDiagnosisFlag: true })).DiagnosisResponse;
    expect(await diagnose()).toMatchObject({
      LoggedSaleID: ['till-1'],
      POIStatus: { GlobalStatus: 'OK', CommunicationOKFlag: true, SecurityOKFlag: true },
      HostStatus: [{ IsReachableFlag: true }],
    });
    await agent.during('Logout', {});
    agent.sale.wire.set('down');
    expect(await diagnose()).toMatchObject({ LoggedSaleID: [], HostStatus: [{ IsReachableFlag: false }] });
  });

  it.each(['EnableService', 'Admin', 'BalanceInquiry', 'StoredValue'])(
    '%s is not available',
    async (category) => {
      const agent = await new NexoHarness().boot();
      const answer = await agent.during(category, {});
      expect(answer[`${category}Response`].Response.ErrorCondition).toBe('UnavailableService');
    },
  );

  it('answers events with nothing', async () => {
    const agent = await new NexoHarness().boot();
    expect(await agent.during('Event', { EventToNotify: 'SaleWakeUp' })).toBeUndefined();
  });

  it('tell what a terminal, or a till on it, has sold today', async () => {
    const agent = await new NexoHarness().boot();
    const kept = await agent.pay('1', 2);
    const part = { ReversedAmount: 0.5, SaleData: { SaleToAcquirerData: 'currency=EUR' } };
    await agent.during('Reversal', reversalBody(kept, part), { ServiceID: '9' });
    const sold = await agent.pay('2', 3);
    await agent.during('Reversal', reversalBody(sold), { ServiceID: '3' });
    await agent.during('Payment', paymentBody('x', 4), { ServiceID: '4', SaleID: 'till-2' });
    agent.sale.wire.set('down');
    await agent.pay('5', 5);
    const lines = (answer: Answer) =>
      answer.TransactionTotals.flatMap(({ PaymentTotals }: Answer) =>
        PaymentTotals.map((each: Answer) => [
          each.TransactionType,
          each.TransactionCount,
          each.TransactionAmount,
        ]),
      );
    const { ReconciliationResponse } = await agent.during('Reconciliation', {
      ReconciliationType: 'SaleReconciliation',
    });
    expect(lines(ReconciliationResponse)).toEqual([
      ['Debit', 2, 6],
      ['Credit', 1, 0.5],
      ['ReverseDebit', 1, 3],
    ]);
    // The refund is of the brand of its sale.
    const refunded = ReconciliationResponse.TransactionTotals.filter(({ PaymentTotals }: Answer) =>
      PaymentTotals.some(({ TransactionType }: Answer) => TransactionType === 'Credit'),
    );
    expect(refunded.map(({ CardBrand }: Answer) => CardBrand)).toEqual(['visa']);
    expect(pairs(ReconciliationResponse.Response)).toEqual({ 'waiting.EUR': '1 5.00' });
    const { GetTotalsResponse } = await agent.during('GetTotals', { TotalFilter: { SaleID: 'till-2' } });
    expect(lines(GetTotalsResponse)).toEqual([['Debit', 1, 4]]);
    const other = await agent.during('Reconciliation', { ReconciliationType: 'AcquirerReconciliation' });
    expect(other.ReconciliationResponse.Response.ErrorCondition).toBe('UnavailableService');
  });

  it('have the id that payments of the day name', async () => {
    const agent = await new NexoHarness().boot();
    const { POIReconciliationID } = (await agent.pay('1')).POIData;
    const { ReconciliationResponse } = await agent.during('Reconciliation', {
      ReconciliationType: 'SaleReconciliation',
    });
    expect(POIReconciliationID).toMatch(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/);
    expect(ReconciliationResponse.POIReconciliationID).toBe(POIReconciliationID);
  });

  it('rejects what it cannot respond to by an event with the reason', async () => {
    const agent = await new NexoHarness().boot();
    const rejected = [
      await agent.send('Abort', { MessageReference: { ServiceID: '1' } }),
      await agent.send('Payment', {}, { ServiceID: undefined }),
      await agent.send('Payment', {}, { MessageCategory: 'Nothing' }),
    ];
    for (const { EventNotification, MessageHeader } of rejected) {
      expect(EventNotification.EventToNotify).toBe('Reject');
      expect(MessageHeader).toMatchObject({
        MessageClass: 'Event',
        MessageCategory: 'Event',
        SaleID: 'till-1',
      });
    }
    expect(
      rejected.map(
        ({ EventNotification }) => pairs({ AdditionalResponse: EventNotification.EventDetails }).message,
      ),
    ).toEqual([
      'AbortRequest.AbortReason is missing',
      'MessageHeader.ServiceID is missing: a Service message needs it',
      expect.stringContaining('MessageHeader.MessageCategory must be one of'),
    ]);
  });

  it('accepts nothing while nothing can be recorded', async () => {
    const agent = await new NexoHarness().boot();
    agent.sale.journal.fail('disk-full');
    expect((await agent.pay('1')).Response.ErrorCondition).toBe('UnavailableService');
    agent.sale.journal.repair();
    await agent.sale.clock.advance(0);
    expect((await agent.pay('1')).Response.Result).toBe('Success');
  });
});
