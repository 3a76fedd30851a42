import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { Client, EnvironmentEnum, TerminalLocalAPI, Types } from '@adyen/api-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, until } from '../clients/http.js';
import { type Message, RawTill, rawPayment, tillMessage } from '../nexo/raw-till.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { untilDead } from './crash-journey.js';
import {
  ALL_TERMINALS,
  CASE_TIMEOUT_MS,
  crashFile,
  SETTLE_MS,
  startTestStack,
  type TestStack,
} from './test-stack.js';

/** A card that no test has presented comes so late that a till can abort before. */
const AUTO_DELAY_MS = 3_000;
const CARD = 'visa-credit-online';

let system: TestStack;
let tour: TourContext;
let till: RawTill;

beforeAll(async () => {
  system = await startTestStack('nexo', undefined, undefined, {
    ...ALL_TERMINALS,
    nexo: true,
    autoDelayMs: AUTO_DELAY_MS,
  });
  tour = new TourContext(system.stack, 'nexo');
  const { nexoUrl: url, nexoCa: ca, nexoKey: key } = system.stack.dev.agent;
  till = new RawTill({ url, ca, key });
  await tour.begin();
}, SETTLE_MS);
afterAll(() => system?.end(), SETTLE_MS);

const standing = async () => (await tour.newRows()).filter(stands).map(({ amount }) => amount);
const present = () => tour.simulator.present(tour.terminalId, CARD);
const untilWaiting = () =>
  until('the terminal to wait for a card', SETTLE_MS, async () => {
    const { body } = await call<{ state: string }>(
      'GET',
      `${system.stack.dev.simulator.url}/terminals/${tour.terminalId}`,
    );
    return body.state === 'waiting-card' ? true : undefined;
  });

describe('a till over raw TLS', () => {
  it('is served by TLS 1.2 and 1.3 and HTTP/1.1, under a certificate for clients that look at its common name', async () => {
    const { nexoUrl, nexoCa } = system.stack.dev.agent;
    const { hostname, port } = new URL(nexoUrl);
    const open = (options: object) =>
      new Promise<TLSSocket>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port), ca: nexoCa, ...options }, () =>
          resolve(socket),
        );
        socket.on('error', reject);
      });
    const socket = await open({ ALPNProtocols: ['h2', 'http/1.1'] });
    const { subject, subjectaltname } = socket.getPeerCertificate();
    expect(socket.authorized).toBe(true);
    expect(socket.alpnProtocol).toBe('http/1.1');
    expect(subject.CN).toBe('legacy-terminal-certificate.test.terminal.adyen.com');
    expect(subjectaltname).toBe('IP Address:127.0.0.1, DNS:localhost');
    socket.destroy();
    await expect(
      open({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
  });

  it(
    'sells, queries the status and reverses, with and without Content-Length',
    async () => {
      await present();
      const { PaymentResponse, MessageHeader } = await till.send(rawPayment('1', 10.99));
      expect(MessageHeader).toMatchObject({ MessageType: 'Response', ServiceID: '1', POIID: '1001' });
      expect(PaymentResponse.Response.Result).toBe('Success');
      expect(PaymentResponse.PaymentResult.AmountsResp).toEqual({ AuthorizedAmount: 10.99, Currency: 'EUR' });
      expect(PaymentResponse.PaymentReceipt).toHaveLength(2);
      expect(await standing()).toEqual(['10.99']);

      // The same ServiceID again, this time in chunks.
      expect((await till.send(rawPayment('1', 10.99), true)).PaymentResponse).toEqual(PaymentResponse);
      const status = tillMessage('TransactionStatus', '2', { MessageReference: { ServiceID: '1' } });
      const { TransactionStatusResponse } = await till.send(status, true);
      expect(TransactionStatusResponse.RepeatedMessageResponse.RepeatedResponseMessageBody).toMatchObject({
        PaymentResponse: { POIData: PaymentResponse.POIData },
      });
      expect(await standing()).toEqual(['10.99']);

      const OriginalPOITransaction = { POITransactionID: PaymentResponse.POIData.POITransactionID };
      const reversal = { OriginalPOITransaction, ReversalReason: 'MerchantCancel' };
      const { ReversalResponse } = await till.send(tillMessage('Reversal', '3', reversal));
      expect(ReversalResponse.Response.Result).toBe('Success');
      expect(await standing()).toEqual([]);
    },
    SETTLE_MS,
  );

  it(
    'aborts the payment that keeps the terminal busy',
    async () => {
      const running = till.send(rawPayment('10', 4));
      await untilWaiting();
      const busy = (await till.send(rawPayment('11', 5, { SaleID: 'other-till' }))).PaymentResponse.Response;
      expect(busy).toMatchObject({ Result: 'Failure', ErrorCondition: 'Busy' });
      const named = new URLSearchParams(busy.AdditionalResponse);
      expect([named.get('runningServiceID'), named.get('runningSaleID')]).toEqual(['10', 'raw-till']);
      const MessageReference = { MessageCategory: 'Payment', ServiceID: '10', SaleID: 'raw-till' };
      const abort = tillMessage(
        'Abort',
        '12',
        { AbortReason: 'MerchantAbort', MessageReference },
        { SaleID: 'other-till' },
      );
      const { status, text } = await till.post(JSON.stringify(till.seal(abort)));
      expect([status, text]).toEqual([200, '']);
      expect((await running).PaymentResponse.Response).toMatchObject({ ErrorCondition: 'Aborted' });
      expect(await standing()).toEqual([]);
    },
    SETTLE_MS,
  );

  it(
    'shows a text on every terminal whose maker lets it',
    async () => {
      const { terminals, simulator } = system.stack.dev;
      const OutputContent = { OutputFormat: 'Text', OutputText: [{ Text: 'SEE YOU SOON' }] };
      const body = { DisplayOutput: [{ Device: 'CustomerDisplay', InfoQualify: 'Display', OutputContent }] };
      for (const [at, { id, deviceType }] of terminals.entries()) {
        const message = tillMessage('Display', `D${at}`, body, { MessageClass: 'Device', POIID: id });
        const [{ Response }] = (await till.send(message)).DisplayResponse.OutputResult;
        const hasTextsOfItsOwn = deviceType === 'MAGTEK_DYNAFLEX';
        expect(Response.ErrorCondition ?? Response.Result, deviceType).toBe(
          hasTextsOfItsOwn ? 'UnavailableDevice' : 'Success',
        );
        const { body: shown } = await call<{ screen: string[] }>('GET', `${simulator.url}/terminals/${id}`);
        expect(shown.screen.join(' ').includes('SEE YOU SOON'), deviceType).toBe(!hasTextsOfItsOwn);
      }
    },
    SETTLE_MS,
  );

  it(
    'reads a card without a payment, where the maker has that',
    async () => {
      await tour.begin();
      await present();
      const SaleTransactionID = { TransactionID: 'card-1', TimeStamp: '2026-11-23T08:00:00Z' };
      const body = { SaleData: { SaleTransactionID }, CardAcquisitionTransaction: { TotalAmount: 7 } };
      const { CardAcquisitionResponse } = await till.send(tillMessage('CardAcquisition', '15', body));
      expect(CardAcquisitionResponse.Response).toMatchObject({ Result: 'Success' });
      expect(CardAcquisitionResponse.PaymentInstrumentData.CardData.MaskedPan).toMatch(/^\d{6} \*{4} \d{4}$/);
      expect(await tour.newRows()).toEqual([]);
      const other = await till.send(tillMessage('CardAcquisition', '16', body, { POIID: '1003' }));
      expect(other.CardAcquisitionResponse.Response.ErrorCondition).toBe('UnavailableDevice');
      // The terminal sells again.
      await present();
      expect((await till.send(rawPayment('17', 1.7))).PaymentResponse.Response.Result).toBe('Success');
      expect(await standing()).toEqual(['1.70']);
    },
    SETTLE_MS,
  );

  it('gets the reason why a message cannot be opened', async () => {
    const good = () => till.seal(tillMessage('Login', '20', { OperatorLanguage: 'en' }));
    const changed = (trailer: object, header: object = {}): string => {
      const { SaleToPOIRequest: sent } = good();
      const SecurityTrailer = { ...sent.SecurityTrailer, ...trailer };
      const MessageHeader = { ...sent.MessageHeader, ...header };
      return JSON.stringify({ SaleToPOIRequest: { ...sent, MessageHeader, SecurityTrailer } });
    };
    const cases: readonly [string, number, string][] = [
      [changed({ KeyIdentifier: 'x' }), 401, 'key-identifier'],
      [changed({ KeyVersion: 9 }), 401, 'key-version'],
      [changed({ Hmac: Buffer.alloc(32).toString('base64') }), 401, 'bad-hmac'],
      [changed({}, { ServiceID: '21' }), 400, 'header-differs'],
      ['{"SaleToPOIRequest":', 400, 'bad-envelope'],
      ['{}', 400, 'bad-envelope'],
      ['x'.repeat(70_000), 413, 'unreadable'],
    ];
    for (const [body, status, errorCode] of cases) {
      const answer = await till.post(body);
      const refusal = JSON.parse(answer.text);
      expect([answer.status, refusal.errorCode]).toEqual([status, errorCode]);
      expect(refusal.errorCondition).toBe(errorCode === 'bad-envelope' ? 'MessageFormat' : undefined);
    }
    const cut = await till.post('{"SaleToPOIRequest":');
    expect(JSON.parse(cut.text).message).toBe('the body is no JSON: it ends too early');
    // In clear from this machine in test mode, and never from a page in a browser.
    const clear = JSON.stringify(tillMessage('Login', '22', { OperatorLanguage: 'en' }));
    const login = JSON.parse((await till.post(clear)).text).SaleToPOIResponse.LoginResponse;
    expect(login.Response.Result).toBe('Success');
    const page = await till.post(clear, { headers: 'Origin: https://shop.example\r\n' });
    expect([page.status, JSON.parse(page.text).errorCode]).toEqual([403, 'plain-refused']);
  });

  it(
    'with a separate key acts for itself alone, from the moment when the file of the keys has it',
    async () => {
      const { nexoUrl: url, nexoCa: ca, nexoKey } = system.stack.dev.agent;
      const front = {
        identifier: 'front',
        version: 3,
        passphrase: 'the passphrase of front',
        saleIds: ['front'],
      };
      const keep = (keys: readonly object[]) => {
        const file = join(system.home, 'agent', 'nexo-key.json');
        writeFileSync(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
        renameSync(`${file}.new`, file);
      };
      await tour.begin();
      await present();
      const sold = (await till.send(rawPayment('40', 4))).PaymentResponse;
      const own = new RawTill({ url, ca, key: front });
      const login = (SaleID: string) =>
        own.post(JSON.stringify(own.seal(tillMessage('Login', '1', {}, { SaleID }))));
      expect((await login('front')).status).toBe(401);
      keep([nexoKey, front]);
      expect((await login('front')).status).toBe(200);
      const other = own.open((await login('raw-till')).text);
      expect(other.LoginResponse.Response.ErrorCondition).toBe('NotAllowed');
      const OriginalPOITransaction = { POITransactionID: sold.POIData.POITransactionID };
      const reversal = { OriginalPOITransaction, ReversalReason: 'MerchantCancel' };
      const { ReversalResponse } = await own.send(
        tillMessage('Reversal', '2', reversal, { SaleID: 'front' }),
      );
      expect(ReversalResponse.Response.ErrorCondition).toBe('NotFound');
      expect(await standing()).toEqual(['4.00']);
      expect(
        (await till.send(tillMessage('Reversal', '41', reversal))).ReversalResponse.Response.Result,
      ).toBe('Success');
      keep([nexoKey]);
      expect((await login('front')).status).toBe(401);
    },
    SETTLE_MS,
  );

  it(
    'gets the true outcome after a kill -9 in the middle of its payment',
    async () => {
      await tour.simulator.network({ state: 'up', dropAnswers: true });
      await present();
      const lost = till.send(rawPayment('30', 30.3)).catch((error: unknown) => error);
      await until('the acquirer to have approved', SETTLE_MS, async () =>
        (await standing()).includes('30.30') ? true : undefined,
      );
      await system.stack.part('agent')?.kill();
      await tour.simulator.network({ state: 'up' });
      await system.stack.restart('agent');
      expect(await lost).toBeInstanceOf(Error);
      const ended = await until('the payment to have an end', SETTLE_MS, async () => {
        const { PaymentResponse } = await till.send(rawPayment('30', 30.3));
        return PaymentResponse.Response.ErrorCondition === 'InProgress' ? undefined : PaymentResponse;
      });
      // Its PIN block is gone: what was approved is reversed, never requested again.
      expect(ended.Response).toMatchObject({ Result: 'Failure' });
      const record = await tour.newRows();
      expect(record.filter(({ amount }) => amount === '30.30').filter(stands)).toEqual([]);
      const status = tillMessage('TransactionStatus', '31', { MessageReference: { ServiceID: '30' } });
      const { RepeatedMessageResponse } = (await till.send(status)).TransactionStatusResponse;
      expect(RepeatedMessageResponse.RepeatedResponseMessageBody.PaymentResponse.Response).toEqual(
        ended.Response,
      );
      expect((await till.send(rawPayment('30', 30.3))).PaymentResponse).toEqual(ended);
      expect(await tour.newRows()).toEqual(record);
    },
    CASE_TIMEOUT_MS,
  );

  it.each(['before', 'after'] as const)(
    'pays once where the agent dies %s it has written the request down',
    async (side) => {
      const id = side === 'before' ? '32' : '33';
      const payment = () => rawPayment(id, Number(`${id}.${id}`));
      const paid = async () => (await standing()).filter((amount) => amount === `${id}.${id}`);
      writeFileSync(crashFile(system.home), `till-request:${side}`);
      const lost = till.send(payment()).catch((error: unknown) => error);
      await untilDead(system);
      await system.stack.restart('agent');
      expect(await lost).toBeInstanceOf(Error);
      await tour.agent.untilGateway('up', SETTLE_MS);
      await present();
      const ended = await until('the payment to have an end', SETTLE_MS, async () => {
        const { PaymentResponse } = await till.send(payment());
        return PaymentResponse.Response.ErrorCondition === 'InProgress' ? undefined : PaymentResponse;
      });
      expect(ended.Response.Result).toBe('Success');
      expect(await paid()).toHaveLength(1);
      expect((await till.send(payment())).PaymentResponse).toEqual(ended);
      expect(await paid()).toHaveLength(1);
    },
    CASE_TIMEOUT_MS,
  );
});

describe('the public client library of that family', () => {
  const securityKey = () => {
    const { identifier, version, passphrase } = system.stack.dev.agent.nexoKey;
    return { AdyenCryptoVersion: 1, KeyIdentifier: identifier, KeyVersion: version, Passphrase: passphrase };
  };
  const api = () => {
    const { nexoUrl, nexoCa } = system.stack.dev.agent;
    const certificatePath = join(system.home, 'nexo-ca.pem');
    writeFileSync(certificatePath, nexoCa);
    // It adds ":8443/nexo/" to what it is given: behind the hash, where this agent has another port.
    const terminalApiLocalEndpoint = `${nexoUrl}#`;
    const environment = EnvironmentEnum.TEST;
    return new TerminalLocalAPI(
      new Client({ apiKey: 'any', environment, certificatePath, terminalApiLocalEndpoint }),
    );
  };
  const send = (message: Message) =>
    api().request(message as Types.terminal.TerminalApiRequest, securityKey());

  it(
    'sells, queries the status, refunds a part and aborts, enciphered',
    async () => {
      await tour.begin();
      await present();
      const library = { SaleID: 'library' };
      const sold = (await send(rawPayment('1', 12.34, library))).SaleToPOIResponse?.PaymentResponse;
      expect(sold?.Response).toMatchObject({ Result: Types.terminal.ResultType.Success });
      expect(sold?.PaymentResult?.PaymentInstrumentData?.CardData?.MaskedPan).toMatch(/^\d{6} \*{4} \d{4}$/);

      const status = await send(
        tillMessage(
          'TransactionStatus',
          '2',
          { MessageReference: { ServiceID: '1' }, ReceiptReprintFlag: true },
          library,
        ),
      );
      const repeated = status.SaleToPOIResponse?.TransactionStatusResponse?.RepeatedMessageResponse;
      expect(repeated?.RepeatedResponseMessageBody.PaymentResponse?.POIData).toEqual(sold?.POIData);
      expect(repeated?.RepeatedResponseMessageBody.PaymentResponse?.PaymentReceipt).toHaveLength(2);

      const SaleData = {
        SaleTransactionID: { TransactionID: 'refund-1', TimeStamp: '2026-11-23T09:00:00Z' },
        SaleToAcquirerData: 'currency=EUR',
      };
      const refund = {
        OriginalPOITransaction: { POITransactionID: sold?.POIData.POITransactionID },
        ReversalReason: 'MerchantCancel',
        ReversedAmount: 2.34,
        SaleData,
      };
      const refunded = (await send(tillMessage('Reversal', '3', refund, library))).SaleToPOIResponse
        ?.ReversalResponse;
      expect(refunded).toMatchObject({ Response: { Result: 'Success' }, ReversedAmount: 2.34 });
      expect((await tour.newRows()).map(({ kind, amount }) => [kind, amount])).toEqual([
        ['authorization', '12.34'],
        ['refund', '2.34'],
      ]);

      const running = send(rawPayment('4', 5, library));
      await untilWaiting();
      const MessageReference = { MessageCategory: 'Payment', ServiceID: '4' };
      const aborted = await send(
        tillMessage('Abort', '5', { AbortReason: 'MerchantAbort', MessageReference }, library),
      );
      expect(aborted.SaleToPOIResponse).toBeUndefined();
      expect((await running).SaleToPOIResponse?.PaymentResponse?.Response).toMatchObject({
        Result: 'Failure',
        ErrorCondition: 'Aborted',
      });
    },
    SETTLE_MS,
  );
});
