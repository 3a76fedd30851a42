import { findShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  type HttpHarness,
  openHttpHarness,
} from '../../../app/http/http-harness.test.support.js';
import { RECEIPT_MAIL_LIMITS } from './mailed-receipts.js';
import { receiptMail } from './receipt-mail.js';

const MAIL = { host: 'mail.example', port: 587, security: 'starttls', from: 'pay@shop.example' } as const;
const PURCHASE = { amount: '1234.50', currency: 'EUR', paymentType: 'DB', merchantInvoiceId: 'R-2031-07' };
const CARD = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.cvv': '123',
  shopperResultUrl: 'https://gateway.example/pay',
};
const RECEIPT = {
  merchant: 'Müller & Söhne',
  price: { amount: '1234.50', currency: 'EUR' },
  reference: 'R-7',
  paidAtMs: Date.UTC(2026, 10, 20, 12, 30),
  lines: [{ name: 'Kaffee', quantity: '2', price: { amount: '1234.50', currency: 'EUR' } }],
};
const localeOf = (tag: string) => findShopperLocale(tag) ?? expect.unreachable();
const plainSpaces = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('the e-mail with a receipt', () => {
  it('has merchant, amount, reference, date and order in the shopper’s language, and why it comes', () => {
    const { title, body } = receiptMail(localeOf('de'), RECEIPT);
    expect(plainSpaces(title)).toBe('Beleg: Müller & Söhne, 1.234,50 €');
    expect(plainSpaces(body)).toBe(
      [
        'Die Zahlung ist eingegangen.',
        '',
        'Bezahlt an: Müller & Söhne',
        'Betrag: 1.234,50 €',
        'Referenz: R-7',
        'Datum: 20. November 2026 um 12:30 UTC',
        '',
        'Bestellung:',
        '2 × Kaffee: 1.234,50 €',
        '',
        'Sie erhalten diese E-Mail, weil diese Adresse auf der Seite der Zahlung eingegeben wurde.',
        '',
      ].join('\n'),
    );
  });

  it('keeps every value in its line, and its direction to itself', () => {
    const { title, body } = receiptMail(localeOf('ar'), {
      ...RECEIPT,
      merchant: 'Shop\r\nBcc: eve@example.com',
      reference: '\u202eR\u2028\u2067-7',
    });
    expect(title).toContain('Shop Bcc: eve@example.com');
    expect(body).not.toMatch(/^Bcc/m);
    expect(body).toContain('المرجع: R -7\n');
  });

  it('ends as it should however long the order is', () => {
    const lines = Array.from({ length: 200 }, (_, at) => ({ name: `${at} ${'x'.repeat(200)}` }));
    const { body } = receiptMail(localeOf('en'), { ...RECEIPT, lines });
    expect(body.length).toBeLessThan(8_000);
    expect(body.trimEnd()).toMatch(/on the page of the payment\.$/);
  });
});

describe('the page of a link that is paid', () => {
  let harness: HttpHarness;
  let id: string;
  beforeEach(async () => {
    harness = await openHttpHarness(undefined, { mail: MAIL });
    id = await paid();
  });
  afterEach(() => harness.dispose());

  const open = (path: string) => harness.send('GET', path, { authorization: null });
  const paid = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const made = (await harness.post('/paybylink/v1', { ...PURCHASE, ...more })).body;
    const [, checkoutId] = /checkoutId=([A-Za-z0-9-]+)/.exec((await open(`/pay/${made.id}`)).text) ?? [];
    await harness.send('POST', `/v1/checkouts/${checkoutId}/payment`, {
      authorization: null,
      headers: { accept: 'application/json' },
      body: new URLSearchParams(CARD).toString(),
    });
    await open(`/pay/${made.id}/result`);
    return made.id;
  };
  const request = (email: string, of = id): Promise<Answer> =>
    harness.send('POST', `/pay/${of}/receipt`, {
      authorization: null,
      body: new URLSearchParams({ email }).toString(),
    });
  const rows = () => harness.store.findAfter('outbox', undefined);

  it('sends the receipt to the address that is entered, and states so', async () => {
    expect((await open(`/pay/${id}`)).text).toContain(`<form method="post" action="/pay/${id}/receipt">`);
    const { status, headers } = await request(' jane@example.com ');
    expect([status, headers.get('location')]).toEqual([303, `/pay/${id}?receipt=sent`]);
    const link = await harness.store.get('paymentLinks', [id]);
    expect(await rows()).toMatchObject([
      {
        ...{ channel: 'mail', kind: 'receipt', recipient: 'jane@example.com', state: 'waiting' },
        ...{ subjectId: link?.paymentId, entityId: link?.entityId },
      },
    ]);
    const page = await open(`/pay/${id}?receipt=sent`);
    expect(page.text).toContain('<p id="mailing" role="status">The receipt is on its way to you.</p>');
    // A page that is loaded again sends nothing again.
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    '',
    'jane',
    'jane@example.com,eve@example.com',
    'jane@example.com\r\nBcc: eve@example.com',
    '"><script>alert(1)</script>@example.com',
  ])('sends nothing to %j, and lets it be corrected', async (email) => {
    const { status, text } = await request(email);
    expect(status).toBe(400);
    expect(text).toContain('aria-invalid="true"');
    expect(text).not.toContain('<script>alert');
    expect(await rows()).toEqual([]);
  });

  it('sends few receipts of one payment, and few to one address', async () => {
    const { ofPayment, toAddress } = RECEIPT_MAIL_LIMITS;
    for (let at = 0; at < ofPayment.uses; at += 1)
      expect((await request(`shopper${at}@example.com`)).status).toBe(303);
    const refused = await request('one-more@example.com');
    expect([refused.status, refused.text.includes('Too many receipts')]).toEqual([429, true]);
    await harness.clock.advance(ofPayment.windowMs);
    for (let at = 0; at < toAddress.uses; at += 1)
      expect((await request('jane@example.com', await paid())).status).toBe(303);
    expect((await request('JANE@example.com', await paid())).status).toBe(429);
    expect((await request('other@example.com', await paid())).status).toBe(303);
  });

  it('writes the address into no log, and into no row but the e-mail', async () => {
    await request('josephine@example.com');
    expect(harness.log.join('')).not.toContain('josephine');
    for (const table of ['recentUses', 'paymentLinks', 'payments', 'alerts', 'events'] as const)
      expect(JSON.stringify(await harness.store.findAfter(table, undefined))).not.toContain('josephine');
  });

  it('speaks the language of the link', async () => {
    const german = await paid({ locale: 'de' });
    const { text } = await request('jane', german);
    expect(text).toContain('Geben Sie eine E-Mail-Adresse ein');
    await request('jane@example.com', german);
    expect(await rows()).toMatchObject([{ title: expect.stringMatching(/^Beleg: /) }]);
  });

  it('sends nothing for a link that is not paid, or not there', async () => {
    const { body } = await harness.post('/paybylink/v1', PURCHASE);
    expect((await request('jane@example.com', body.id)).status).toBe(404);
    expect((await request('jane@example.com', '0'.repeat(32))).status).toBe(404);
    expect(await rows()).toEqual([]);
  });
});

it('without a mail server a receipt is printed alone', async () => {
  const harness = await openHttpHarness();
  try {
    const { body } = await harness.post('/paybylink/v1', PURCHASE);
    const answer = await harness.send('POST', `/pay/${body.id}/receipt`, {
      authorization: null,
      body: 'email=jane%40example.com',
    });
    expect(answer.status).toBe(404);
  } finally {
    await harness.dispose();
  }
});
