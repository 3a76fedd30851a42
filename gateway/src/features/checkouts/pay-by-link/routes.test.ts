import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY, FailingStore } from '../../../core/payments/payment-harness.test.support.js';
import type { Change } from '../../../kernel/store/store.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { Retention } from '../../../kernel/workers/retention.js';
import { CHECKOUT_RETENTION } from '../register.js';

const PURCHASE = { amount: '12.34', currency: 'EUR', paymentType: 'DB', merchantInvoiceId: 'invoice-<7>' };
const CARD = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.cvv': '123',
};
const DECLINED = { ...CARD, 'card.holder': '800.100.152' };
const DAY_MS = 86_400_000;

type LinkBody = Answer['body'] &
  Readonly<Record<'link' | 'qrCode' | 'state' | 'checkoutId' | 'paymentId', string>>;

let disk: FailingStore;
let harness: HttpHarness;
beforeEach(async () => {
  disk = new FailingStore(new MemoryStore());
  harness = await openHttpHarness(() => disk);
});
afterEach(() => harness.dispose());

const make = async (more: Readonly<Record<string, string>> = {}): Promise<LinkBody> =>
  (await harness.post('/paybylink/v1', { ...PURCHASE, ...more })).body as LinkBody;
const open = (id: string, path = '') => harness.send('GET', `/pay/${id}${path}`, { authorization: null });
const checkoutIn = ({ text }: Answer): string => /checkoutId=([A-Za-z0-9-]+)/.exec(text)?.[1] ?? '';
const read = async (id: string): Promise<LinkBody> =>
  (await harness.get(`/paybylink/v1/${id}?entityId=${ENTITY}`)).body as LinkBody;
const pay = (checkoutId: string, card: Readonly<Record<string, string>>) =>
  harness.send('POST', `/v1/checkouts/${checkoutId}/payment`, {
    authorization: null,
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...card, shopperResultUrl: 'https://gateway.example/pay' }).toString(),
  });

describe('a payment link', () => {
  it('is made once under an Idempotency-Key', async () => {
    const body = new URLSearchParams({ entityId: ENTITY, ...PURCHASE }).toString();
    const ask = () =>
      harness.send('POST', '/paybylink/v1', { body, headers: { 'idempotency-key': 'invoice-7' } });
    expect((await ask()).body).toEqual((await ask()).body);
    expect(await harness.store.findAfter('paymentLinks', undefined)).toHaveLength(1);
  });

  it('leads to a page with the form, which no other page frames, and to one payment', async () => {
    const { id, link, result } = await make();
    expect(result.code).toBe('000.200.100');
    expect(link).toBe(`${harness.url}/pay/${id}`);
    const page = await open(id);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.text).toContain('invoice-&lt;7&gt;');
    // Who opens it again sees the same checkout.
    expect(checkoutIn(await open(id))).toBe(checkoutIn(page));
    expect((await pay(checkoutIn(page), CARD)).body.result.code).toBe('000.100.110');
    expect((await open(id, '/result')).text).toContain('Thank you');
    expect((await open(id)).text).not.toContain('paymentWidgets');
    expect(await read(id)).toMatchObject({ state: 'paid', checkoutId: checkoutIn(page) });
    expect((await read(id)).paymentId).toMatch(/^[0-9a-f]{32}$/);
    const status = await harness.get(`/paybylink/v1/${id}/checkouts/${checkoutIn(page)}/payment`);
    expect(status.body).toMatchObject({ amount: '12.34', result: { code: '000.100.110' } });
    const other = (
      await harness.post('/v1/checkouts', { amount: '1.00', currency: 'EUR', paymentType: 'DB' })
    ).body;
    expect((await harness.get(`/paybylink/v1/${id}/checkouts/${other.id}/payment`)).status).toBe(404);
  });

  it('may be tried again after a decline, and its page states that', async () => {
    const { id } = await make();
    const first = checkoutIn(await open(id));
    await pay(first, DECLINED);
    expect((await open(id, '/result')).headers.get('location')).toBe(`/pay/${id}`);
    const again = await open(id);
    expect(again.text).toContain('declined');
    expect(checkoutIn(again)).toBe(first);
  });

  it('outlives its checkouts, and ends when its merchant wanted', async () => {
    const { id } = await make({ validUntil: '2', validUntilUnit: 'DAY' });
    const first = checkoutIn(await open(id));
    await harness.clock.advance(3_600_000);
    const second = checkoutIn(await open(id));
    expect(second).not.toBe(first);
    await harness.clock.advance(2 * DAY_MS);
    expect((await open(id)).status).toBe(404);
    expect(await read(id)).toMatchObject({ state: 'expired' });
  });

  it('begins no second payment while one waits for its shopper at a bank', async () => {
    const { id } = await make();
    const paypal = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane@example.com' };
    await pay(checkoutIn(await open(id)), paypal);
    await harness.clock.advance(26 * 60_000);
    const page = await open(id);
    expect([page.text.includes('being processed'), checkoutIn(page)]).toEqual([true, '']);
  });

  it('is paid once where a page is still open whose checkout was replaced', async () => {
    const { id } = await make();
    const first = checkoutIn(await open(id));
    await harness.clock.advance(26 * 60_000);
    const second = checkoutIn(await open(id));
    expect(second).not.toBe(first);
    expect((await pay(first, CARD)).body.result.code).toBe('200.300.404');
    expect((await pay(second, CARD)).body.result.code).toBe('000.100.110');
    expect(harness.line.sent).toHaveLength(1);
    expect(await read(id)).toMatchObject({ state: 'paid', checkoutId: second });
  });

  it('is paid once where its checkout is replaced while a payment begins', async () => {
    const { id } = await make();
    const first = checkoutIn(await open(id));
    await harness.clock.advance(26 * 60_000);
    let second = '';
    disk.beforeCommit = async (changes) => {
      const begins = ({ op, ...on }: Change): boolean =>
        op === 'insert' && 'table' in on && on.table === 'intents';
      if (second !== '' || !changes.some(begins)) return;
      second = 'is requested';
      second = checkoutIn(await open(id));
    };
    const late = await pay(first, CARD);
    expect(late.body.result.code).not.toMatch(/^000/);
    expect(harness.line.sent).toEqual([]);
    expect((await pay(second, CARD)).body.result.code).toBe('000.100.110');
    expect(harness.line.sent).toHaveLength(1);
  });

  it('stays paid where no shopper came back to its page, also when its checkout is long over', async () => {
    const { id } = await make();
    const checkoutId = checkoutIn(await open(id));
    await pay(checkoutId, CARD);
    await harness.clock.advance(8 * DAY_MS);
    const retention = new Retention(harness.store, harness.clock, [CHECKOUT_RETENTION]);
    await retention.sweep();
    expect((await open(id)).text).toContain('Thank you');
    expect(await read(id)).toMatchObject({ state: 'paid', checkoutId });
    // Once the link is over, nothing needs it any more.
    await harness.clock.advance(90 * DAY_MS);
    await retention.sweep();
    await retention.sweep();
    expect(await harness.store.get('checkouts', [checkoutId])).toBeUndefined();
  });

  it('is one checkout for all who open it at once', async () => {
    const { id } = await make();
    const pages = await Promise.all([open(id), open(id), open(id)]);
    expect(new Set(pages.map(checkoutIn)).size).toBe(1);
  });

  it('brings its shopper to the merchant’s page where there is one', async () => {
    const { id } = await make({ shopperResultUrl: 'https://shop.example/done?order=1' });
    const checkoutId = checkoutIn(await open(id));
    await pay(checkoutId, CARD);
    const { headers } = await open(id, '/result');
    expect(headers.get('location')).toBe(
      `https://shop.example/done?order=1&id=${checkoutId}&resourcePath=%2Fv1%2Fcheckouts%2F${checkoutId}%2Fpayment`,
    );
    expect((await read(id)).state).toBe('paid');
  });

  it('is ended by its merchant', async () => {
    const { id } = await make();
    const removed = await harness.send('DELETE', `/paybylink/v1/${id}?entityId=${ENTITY}`);
    expect(removed.body.result.code).toBe('000.200.102');
    expect((await open(id)).status).toBe(404);
    expect((await harness.get(`/paybylink/v1/${id}`)).status).toBe(404);
  });

  it('is not paid on a page that is still open once its merchant has ended it', async () => {
    const { id } = await make();
    const page = await open(id);
    await harness.send('DELETE', `/paybylink/v1/${id}?entityId=${ENTITY}`);
    expect((await pay(checkoutIn(page), CARD)).body.result.code).toBe('200.300.404');
    expect(harness.line.sent).toEqual([]);
  });

  it('comes as a picture too, and not as a text message', async () => {
    const { id, qrCode } = await make({ createQRCode: 'true' });
    expect(qrCode).toMatch(/^data:image\/png;base64,/);
    const sms = await harness.post(`/paybylink/v1/${id}/sms`, { smsTo: '+491701234567' });
    expect(sms).toMatchObject({ status: 400, body: { result: { code: '800.121.300' } } });
  });

  it('collects the address and sets the form as its merchant wants, and nothing else', async () => {
    const options = JSON.stringify({ locale: 'de', labels: { pay: '</script><script>alert(1)</script>' } });
    const { id } = await make({
      wpwlOptions: options,
      collectBilling: 'city,country',
      mandatoryBilling: 'city',
    });
    const { text } = await open(id);
    expect(text).toContain('"billingAddress":{"city":"","country":""}');
    expect(text).not.toContain('<script>alert');
    const wrong = {
      wpwlOptions: '{"baseUrl":"https://evil.example/"}',
      collectBilling: 'planet',
      validUntil: '366',
    };
    const { body } = await harness.post('/paybylink/v1', { ...PURCHASE, ...wrong });
    expect(body.result.parameterErrors.map(({ name }) => name).sort()).toEqual([
      'collectBilling',
      'validUntil',
      'wpwlOptions',
    ]);
  });

  it('keeps nothing of its shopper in clear', async () => {
    const { id } = await make({ 'customer.givenName': 'Josephine', 'customer.surname': 'Miller' });
    expect(JSON.stringify(await harness.store.get('paymentLinks', [id]))).not.toContain('Josephine');
  });

  it('looks as its merchant wants, and loads pictures from nowhere else', async () => {
    const { id } = await make({
      'layout.logo': 'https://shop.example/logo.png?a="><script>',
      'layout.logoWidth': '317px',
      'layout.logoHeight': '117',
      'layout.backgroundImage': 'https://cdn.example:8443/header.jpg',
      'layout.merchantNameColor': '#fff',
      'layout.payButtonColor': '#0dcaf0',
    });
    const { text, headers } = await open(id);
    expect(text).toContain(
      '<img src="https://shop.example/logo.png?a=&quot;&gt;&lt;script&gt;" alt="" class="logo" width="317" height="117">',
    );
    expect(text).toContain('.shop h1{color:#fff}main .wpwl-button-pay{background:#0dcaf0}');
    expect(headers.get('content-security-policy')).toContain(
      '; img-src https://shop.example https://cdn.example:8443;',
    );
    expect((await open((await make()).id)).headers.get('content-security-policy')).not.toContain('img-src');
  });

  it.each([
    ['layout.logo', 'javascript:alert(1)'],
    ['layout.logo', 'https://x;script-src/logo.png'],
    ['layout.backgroundImage', 'data:text/html,x'],
    ['layout.logoWidth', '1px" onload="x'],
    ['layout.amountColor', 'red'],
    ['layout.payButtonColor', '#fff}body{display:none'],
  ])('refuses %s=%s', async (name, value) => {
    const { status, body } = await harness.post('/paybylink/v1', { ...PURCHASE, [name]: value });
    expect(status).toBe(400);
    expect(JSON.stringify(body.result)).toContain(name);
  });

  it('takes the address that its page collects from the shopper, not from the merchant', async () => {
    const { id } = await make({
      collectBilling: 'city,houseNumber1',
      'billing.city': 'Berlin',
      'billing.country': 'DE',
      'billing.postcode': '10115',
      'billing.street1': 'High Street',
    });
    const page = await open(id);
    expect(page.text).toContain('"billingAddress":{"city":"Berlin","houseNumber1":""}');
    await pay(checkoutIn(page), {
      ...CARD,
      'billing.city': 'Hamburg',
      'billing.country': 'FR',
      'billing.houseNumber1': '5',
    });
    const { paymentId } = await (async () => {
      await open(id, '/result');
      return read(id);
    })();
    expect((await harness.get(`/v1/payments/${paymentId}`)).body).toMatchObject({
      billing: { city: 'Hamburg', country: 'DE', houseNumber1: '5' },
    });
  });
});
