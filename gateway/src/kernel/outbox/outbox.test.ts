import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { mandateMail } from '../../core/payments/events/mandate-mail.js';
import { SnapshotEvents } from '../../core/payments/events/snapshot-events.js';
import { eventsOfPayment } from '../../core/payments/events/stored-events.test.support.js';
import { SHIPPED_BIN_TABLE } from '../../core/payments/shipped-bin-table.js';
import { EgressError } from '../egress/egress-error.js';
import type { OutboxRow } from '../store/rows.js';
import { isMailAddress, oneLine } from './outbox-row.js';
import { queueAlerts } from './queue-alerts.js';
import { OUTBOX_RETRIES, sendLoops } from './send-loop.js';
import type { MailVerdict } from './smtp-mailer.js';

let harness: HttpHarness;
let loop: ReturnType<typeof sendLoops>;
/** What reached the mail server, or the operator's webhook. */
let sent: OutboxRow[];
let verdict: MailVerdict;
let postStatus: number | 'unreachable';
/** Ends for addresses that hang. */
let hanging: Promise<void>;
let posts: { readonly url: string; readonly body: string }[];
beforeEach(async () => {
  harness = await openHttpHarness();
  sent = [];
  posts = [];
  hanging = Promise.resolve();
  verdict = { kind: 'sent' };
  postStatus = 204;
  // The harness builds its service without mail.
  Object.assign(harness.context, {
    events: new SnapshotEvents({
      events: harness.events,
      random: systemRandom,
      bins: SHIPPED_BIN_TABLE,
      buildNumber: 'test',
      sendsMail: true,
    }),
  });
  loop = newLoop();
});

function newLoop(): typeof loop {
  const { store, clock } = harness;
  return sendLoops({
    store,
    clock,
    random: systemRandom,
    mailer: {
      send: async (row) => {
        sent.push(row);
        return verdict;
      },
    },
    egress: {
      send: async ({ url, body = new Uint8Array() }) => {
        if (url.includes('hangs')) await hanging;
        if (postStatus === 'unreachable') throw new EgressError('unreachable', 'cut');
        posts.push({ url, body: Buffer.from(body).toString() });
        return { status: postStatus, body: Buffer.alloc(0) };
      },
    },
    onFault: (error) => {
      throw error;
    },
  });
}
afterEach(async () => {
  await loop.stop();
  await harness.dispose();
});

async function send(): Promise<void> {
  loop.wake();
  await loop.idle();
}

/** Lets so much time pass, without a round, then sends. */
async function sendAfter(ms = 0): Promise<void> {
  await loop.stop();
  await harness.clock.advance(ms);
  loop = newLoop();
  await send();
}

const DEBIT = {
  amount: '12.34',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE23100000001234567890',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.email': 'jane@example.com',
};
const rows = () => harness.store.findAfter('outbox', undefined);

describe('the call of notificationUrl', () => {
  const notificationUrl = 'https://shop.example/notify?shop=1';

  it('names the payment and where its outcome is read, and no answer shows the address', async () => {
    const { body } = await harness.post('/v1/payments', { ...CARD, notificationUrl });
    expect(body).not.toHaveProperty('notificationUrl');
    await send();
    const resource = `id=${body.id}&resourcePath=${encodeURIComponent(`/v1/payments/${body.id}`)}`;
    expect(posts).toEqual([{ url: `${notificationUrl}&${resource}`, body: '' }]);
    const [event] = await eventsOfPayment(harness.store, body.id);
    expect(event?.payload).not.toContain('shop.example');
  });

  it('is made for a declined payment and for a follow-up that names one, and for no other', async () => {
    const declined = { 'customParameters[forceResultCode]': '800.100.152' };
    await harness.post('/v1/payments', { ...CARD, ...declined, notificationUrl });
    const { body } = await harness.post('/v1/payments', { ...CARD, paymentType: 'DB' });
    const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR' };
    await harness.post(`/v1/payments/${body.id}`, { ...refund, notificationUrl });
    await send();
    expect(posts).toHaveLength(2);
  });

  it('is tried again for two days, and then given up', async () => {
    postStatus = 500;
    await harness.post('/v1/payments', { ...CARD, notificationUrl });
    await send();
    postStatus = 204;
    await sendAfter(61_000);
    expect(posts).toHaveLength(2);
    expect(await rows()).toMatchObject([{ state: 'sent', recipient: '' }]);
    expect(await harness.store.find('alerts', 'state', ['open'])).toEqual([]);
  });
});

describe('the e-mail about a direct debit', () => {
  it('names mandate, amount and due date, and nothing of the account', async () => {
    const { body } = await harness.post('/v1/payments', DEBIT);
    await send();
    const [mail] = sent;
    expect(mail).toMatchObject({ recipient: 'jane@example.com', kind: 'mandate', subjectId: body.id });
    expect(mail?.title).toContain('Direct debit of 12.34 EUR on 2026-11-22');
    const { mandate } = (body as unknown as { bankAccount: { mandate: { id: string } } }).bankAccount;
    expect(mail?.body).toContain(`Mandate: ${mandate.id}\nSigned on: 2026-11-20`);
    expect(mail?.body).toContain('Due date: 2026-11-22');
    expect(JSON.stringify(mail)).not.toContain('DE23');
  });

  it('is sent once, and its address and text are kept no longer than that', async () => {
    await harness.post('/v1/payments', DEBIT);
    await send();
    await send();
    expect(sent).toHaveLength(1);
    expect(await rows()).toMatchObject([
      { state: 'sent', recipient: '', title: '', body: '', dueAtMs: null },
    ]);
  });

  it.each([
    ['a debit that is declined', { 'bankAccount.iban': 'DE39100000000000000005' }],
    ['no address', { 'customer.email': '' }],
    ['more than one address', { 'customer.email': 'jane@example.com,eve@example.com' }],
    ['a line break in the address', { 'customer.email': 'jane@example.com\r\nBcc: eve@example.com' }],
  ])('is not written for %s', async (_, more) => {
    await harness.post('/v1/payments', { ...DEBIT, ...more });
    expect(await rows()).toEqual([]);
  });

  it('keeps every value in its line', async () => {
    const { body } = await harness.post('/v1/payments', DEBIT);
    const payment = await harness.store.get('payments', [body.id]);
    if (!payment) throw new Error('the payment is missing');
    const echo = payment.echo.replace('Jane Jones', 'Jane\\r\\n\\r\\nPay eve instead');
    const [change] = mandateMail({ ...payment, echo }, 'Shop\r\nBcc: eve@example.com', 1);
    const { row } = change as { readonly row: OutboxRow };
    expect(row.body).toContain('Jane Pay eve instead');
    expect(row.body).not.toMatch(/^(Pay eve|Bcc)/m);
    expect(row.title).toContain('Shop Bcc: eve@example.com');
  });

  it('is tried again while the server is away, then given up with an alert', async () => {
    verdict = { kind: 'failed', why: 'ECONNECTION' };
    const { body } = await harness.post('/v1/payments', DEBIT);
    await send();
    await send();
    expect(sent).toHaveLength(1);
    await sendAfter(OUTBOX_RETRIES.delaysMs[0]);
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    await sendAfter(OUTBOX_RETRIES.giveUpAfterMs);
    expect(await rows()).toMatchObject([{ state: 'givenUp', recipient: '', dueAtMs: null }]);
    expect(await harness.store.find('alerts', 'state', ['open'])).toMatchObject([
      { code: 'message-not-sent', subject: body.id },
    ]);
  });

  it('is given up at once where the server refuses its address', async () => {
    verdict = { kind: 'refused', why: 'EENVELOPE 550' };
    await harness.post('/v1/payments', DEBIT);
    await send();
    expect(await rows()).toMatchObject([{ state: 'givenUp', failures: 1 }]);
  });
});

describe('an alert', () => {
  const targets = { mailTo: ['ops@example.com', 'duty@example.com'], webhookUrl: 'https://ops.example/a' };
  const queue = () => queueAlerts(harness, targets);
  const raise = () =>
    harness.alerts.raise({ code: 'acquirer-silent', subject: 'INTERNAL', detail: 'no answer\r\nfor long' });

  it('is sent to every configured target, once while it stands', async () => {
    await raise();
    await queue();
    await raise();
    await queue();
    await send();
    expect(sent.map(({ recipient }) => recipient).sort()).toEqual(['duty@example.com', 'ops@example.com']);
    expect(sent[0]?.title).toBe('[tillbridge] critical: acquirer-silent (INTERNAL)');
    expect(posts.map(({ url }) => url)).toEqual([targets.webhookUrl]);
    expect(JSON.parse(posts[0]?.body ?? '')).toMatchObject({ code: 'acquirer-silent', state: 'open' });
  });

  it('waits behind no address of a merchant that hangs', async () => {
    let end = (): void => undefined;
    hanging = new Promise((resolve) => {
      end = resolve;
    });
    for (let at = 0; at < 20; at += 1)
      await harness.post('/v1/payments', { ...CARD, notificationUrl: 'https://hangs.example/' });
    await raise();
    await queueAlerts(harness, { ...targets, mailTo: [] });
    loop.wake();
    while (posts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(posts.map(({ url }) => url)).toEqual([targets.webhookUrl]);
    end();
    await loop.idle();
  });

  it('is sent again when it is raised again after it had ended', async () => {
    await raise();
    await queue();
    await harness.alerts.clear('acquirer-silent', 'INTERNAL');
    await harness.clock.advance(1);
    await raise();
    await queue();
    await send();
    expect(posts).toHaveLength(2);
  });

  it('that ended before it was sent is not sent', async () => {
    await raise();
    await harness.alerts.clear('acquirer-silent', 'INTERNAL');
    await queue();
    expect(await rows()).toEqual([]);
    expect(await harness.store.findRange('alerts', 'unsent', { from: 0 })).toEqual([]);
  });

  it('is posted again after a failure, and raises no alert of its own', async () => {
    postStatus = 'unreachable';
    await raise();
    await queueAlerts(harness, { ...targets, mailTo: [] });
    await send();
    postStatus = 500;
    await sendAfter(OUTBOX_RETRIES.delaysMs[0]);
    await sendAfter(OUTBOX_RETRIES.giveUpAfterMs);
    expect(await rows()).toMatchObject([{ state: 'givenUp' }]);
    expect(await harness.store.find('alerts', 'state', ['open'])).toHaveLength(1);
  });
});

it.each([
  ['jane@example.com', true],
  ['jane.o+tag@mail.example', true],
  ['jane', false],
  ['Jane <jane@example.com>', false],
  ['jane@example.com\n', false],
  ['"jane doe"@example.com', false],
  ['jane@exa mple.com', false],
  ['@example.com', false],
])('takes %j for an address: %s', (text, expected) => {
  expect(isMailAddress(text)).toBe(expected);
});

it('makes one line of any text', () => {
  expect(oneLine(' a\r\nb\u0000c\u2029d\t ')).toBe('a b c d');
});
