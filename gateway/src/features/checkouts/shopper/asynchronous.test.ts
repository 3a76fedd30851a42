import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { setAppSchemes } from '../../../core/entities/app-schemes.js';
import { entityRow } from '../../../core/entities/entities.js';
import { ENTITY, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { WAITS } from '../../../core/payments/rules/waits.js';

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness();
});
afterAll(() => harness.dispose());

const PAYMENT = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'PAYPAL',
  'virtualAccount.accountId': 'jane@example.com',
  shopperResultUrl: 'https://shop.example/done?order=1#top',
};

const names = ({ body }: Answer): string[] => body.result.parameterErrors.map(({ name }) => name);

async function begin(form: Readonly<Record<string, string>> = PAYMENT) {
  const answer = await harness.post('/v1/payments', form);
  const [intent] = await harness.store.find('intents', 'payment', [answer.body.id]);
  return { answer, id: answer.body.id, reference: intent?.id ?? '' };
}

/** What the shopper's browser requests: a path of ours, without any token. */
const browse = (method: string, url: string, body?: string): Promise<Answer> =>
  harness.send(method, url.replace(harness.url, ''), {
    authorization: null,
    ...(body !== undefined && { body }),
  });

/** Where the bank sends the shopper back. */
const returnOf = (reference: string): string => harness.bank.payments.find(reference)?.returnUrl ?? '';

describe('an asynchronous payment', () => {
  it('is pending with a redirect of the bank, and a look at it shows the same', async () => {
    const { answer, id } = await begin();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      result: { code: '000.200.000' },
      amount: '12.34',
      virtualAccount: { accountId: 'jane@example.com' },
      redirect: {
        url: 'https://bank.example/pay',
        method: 'POST',
        parameters: [{ name: 'token', value: expect.stringMatching(/^.{1,255}$/) }],
        preconditions: [],
      },
    });
    expect((await harness.get(`/v1/payments/${id}`)).body.redirect).toEqual(answer.body.redirect);
  });

  it('sends its shopper back with id and path in a query that stays, and the path gives the outcome', async () => {
    const { id, reference } = await begin();
    harness.bank.payments.decide(reference, 'approved');
    const back = await browse('GET', returnOf(reference));
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toBe(
      `https://shop.example/done?order=1&id=${id}&resourcePath=%2Fv1%2Fpayments%2F${id}#top`,
    );
    const { body } = await harness.get(`/v1/payments/${id}`);
    expect(body.result.code).toBe('000.100.110');
    expect(body).not.toHaveProperty('redirect');
    // Who comes back twice, or late, is sent on as before.
    expect((await browse('POST', returnOf(reference), 'a=b')).headers.get('location')).toContain(`id=${id}`);
  });

  it('sends back a shopper who has not decided, and waits on', async () => {
    const { id, reference } = await begin();
    expect((await browse('GET', returnOf(reference))).status).toBe(303);
    expect((await harness.get(`/v1/payments/${id}`)).body.result.code).toBe('000.200.000');
    await harness.clock.advance(WAITS.redirect.lifetimeMs);
    await harness.service.endOverdueWaits();
    const { status, body } = await harness.get(`/v1/payments/${id}`);
    expect([status, body.result.code]).toEqual([200, '100.396.103']);
  });

  it('names our own page where a parameter is too long for the answer, and the page brings it whole', async () => {
    harness.bank.tokenLength = 300;
    const { answer, reference } = await begin();
    harness.bank.tokenLength = 16;
    const { redirect } = answer.body;
    expect(redirect).toMatchObject({ method: 'GET', parameters: [] });
    expect(redirect.url.startsWith(`${harness.url}/shopper/`)).toBe(true);
    const page = await browse('GET', redirect.url);
    const { token = '' } = harness.bank.payments.find(reference) ?? {};
    expect(token).toHaveLength(300);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'nonce-/);
    expect(page.text).toContain(`<form id="on" method="post" action="https://bank.example/pay">`);
    expect(page.text).toContain(`name="token" value="${token}"`);
    harness.bank.payments.decide(reference, 'refused');
    await browse('GET', returnOf(reference));
    // Once it has ended the page sends the shopper to the shop.
    expect((await browse('GET', redirect.url)).status).toBe(303);
  });

  it('is a separate request under an Idempotency-Key only once', async () => {
    const body = new URLSearchParams({ entityId: 'a'.repeat(32), ...PAYMENT }).toString();
    const headers = { 'idempotency-key': 'one-order' };
    const first = await harness.send('POST', '/v1/payments', { body, headers });
    const again = await harness.send('POST', '/v1/payments', { body, headers });
    expect(first.body.result.code).toBe('000.200.000');
    expect(again.body.id).toBe(first.body.id);
    expect(again.body.redirect).toEqual(first.body.redirect);
  });

  it('needs the address of the shop, and one that is no trap', async () => {
    const { shopperResultUrl: _, ...without } = PAYMENT;
    expect(names(await harness.post('/v1/payments', without))).toEqual(['shopperResultUrl']);
    for (const shopperResultUrl of ['/done', 'javascript://%0aalert(1)', 'https://u:p@shop.example/']) {
      const answer = await harness.post('/v1/payments', { ...PAYMENT, shopperResultUrl });
      expect(answer.status).toBe(400);
      expect(names(answer)).toEqual(['shopperResultUrl']);
    }
  });

  it('sends shoppers to the web and to apps that the merchant has named, and to nothing else', async () => {
    const { store } = harness;
    const send = async (shopperResultUrl: string) => {
      const { body } = await harness.post('/v1/payments', { ...PAYMENT, shopperResultUrl });
      return body.result.code;
    };
    expect(await send('com.shop.app:/done')).toBe('200.300.404');
    await setAppSchemes(store, ENTITY, ['com.shop.app']);
    expect(await send('com.shop.app:/done')).toBe('000.200.000');
    for (const handler of ['ms-msdt:/id', 'search-ms:/query=x', 'shell:/startup', 'com.other.app:/done'])
      expect(await send(handler)).toBe('200.300.404');
    await setAppSchemes(store, ENTITY, []);
    expect(await send('com.shop.app:/done')).toBe('200.300.404');
  });

  it('opens the apps of the channel that it is for, and none of another merchant', async () => {
    const { store } = harness;
    const channel = 'c'.repeat(32);
    const row = entityRow(channel, 'Channel', ENTITY, 1);
    await store.commit([{ op: 'insert', table: 'entities', row }]);
    await setAppSchemes(store, channel, ['com.shop.channel']);
    await setAppSchemes(store, OTHER_ENTITY, ['com.shop.channel']);
    const send = async (entityId: string) => {
      const { body } = await harness.post('/v1/payments', {
        ...PAYMENT,
        entityId,
        shopperResultUrl: 'com.shop.channel:/done',
      });
      return body.result.code;
    };
    expect(await send(channel)).toBe('000.200.000');
    for (const entityId of [ENTITY, OTHER_ENTITY]) expect(await send(entityId)).not.toBe('000.200.000');
  });

  it('is refused where the brand belongs to another means of payment, or to none', async () => {
    for (const paymentBrand of ['VISA', 'UNKNOWN']) {
      const { status, body } = await harness.post('/v1/payments', { ...PAYMENT, paymentBrand });
      expect([status, body.result.code]).toEqual([400, '600.200.200']);
    }
  });
});

describe('a page for shoppers', () => {
  it('is not there under a made-up address', async () => {
    const { id, reference } = await begin();
    const [proof = ''] = /[0-9a-f]{32}(?=\/return)/.exec(returnOf(reference)) ?? [];
    const wrong = [...proof].reverse().join('');
    for (const path of [`${id}${wrong}`, id, 'x', `${'0'.repeat(32)}${proof}`]) {
      for (const page of [`/shopper/${path}`, `/shopper/${path}/return`]) {
        expect((await browse('GET', page)).status).toBe(404);
      }
    }
  });

  it('takes no other method', async () => {
    const { reference } = await begin();
    expect((await browse('DELETE', returnOf(reference))).status).toBe(405);
  });
});
