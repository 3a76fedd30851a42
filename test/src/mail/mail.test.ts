import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '@tillbridge/gateway/app/commands/seed.js';
import type { GatewayConfig } from '@tillbridge/gateway/app/configuration/config.js';
import { startGateway } from '@tillbridge/gateway/app/wiring/serve.js';
import { DEFAULT_CARD_TESTING_LIMITS } from '@tillbridge/gateway/features/checkouts/rules/checkout-limits.js';
import { DEFAULT_REQUEST_LOG } from '@tillbridge/gateway/features/request-log/request-log-settings.js';
import { DEFAULT_SCHEDULE_TIMES } from '@tillbridge/gateway/features/schedules/rules/shortest-interval.js';
import { Alerts } from '@tillbridge/gateway/kernel/alerts/alerts.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { DEFAULT_HTTP_LIMITS } from '@tillbridge/gateway/kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '@tillbridge/gateway/kernel/http/throttle/throttle.js';
import { type MailConfig, SmtpMailer } from '@tillbridge/gateway/kernel/outbox/smtp-mailer.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAIL_USER, MailServer } from './mail-server.js';

let folder: string;
let server: MailServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-mail-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** Starts a mail server; returns its configuration at the gateway. */
function startMailServer(options?: SMTPServerOptions): Promise<Required<MailConfig>> {
  server = new MailServer(options);
  return server.listen(folder);
}

const taken = () => server?.taken ?? [];

const MAIL = {
  id: 'a'.repeat(32),
  channel: 'mail',
  kind: 'mandate',
  subjectId: 'b'.repeat(32),
  entityId: null,
  recipient: 'jane@example.com',
  title: 'Direct debit of 12.34 €',
  body: 'Amount: 12.34 EUR\n.\nend',
  state: 'waiting',
  dueAtMs: 1,
  leasedBy: null,
  claims: 0,
  failures: 0,
  createdAtMs: 1,
  version: 1,
} as const;

it('sends over STARTTLS, signed in, with an id by which a second copy differs from a second mail', async () => {
  const mailer = new SmtpMailer(await startMailServer());
  expect(await mailer.send(MAIL)).toEqual({ kind: 'sent' });
  expect(taken()).toMatchObject([{ to: ['jane@example.com'], isEnciphered: true, user: MAIL_USER }]);
  const text = taken()[0]?.text ?? '';
  expect(text).toContain(`Message-ID: <${MAIL.id}@shop.example>`);
  expect(text).toContain('From: payments@shop.example');
  expect(text).toContain('Auto-Submitted: auto-generated');
  expect(text).toMatch(/\r\nAmount: 12\.34 EUR\r\n\.\r\nend/);
});

it('sends nothing to a server that has no TLS, or a certificate of an unknown authority', async () => {
  const plain = await startMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] });
  expect(await new SmtpMailer(plain).send(MAIL)).toMatchObject({ kind: 'failed' });
  const { authorityFile: _, ...untrusted } = plain;
  expect(await new SmtpMailer({ ...untrusted, security: 'implicit' }).send(MAIL)).toMatchObject({
    kind: 'failed',
  });
  expect(taken()).toEqual([]);
});

it('refuses a certificate of STARTTLS that no authority of ours signed', async () => {
  const { authorityFile: _, ...config } = await startMailServer();
  expect(await new SmtpMailer(config).send(MAIL)).toMatchObject({ kind: 'failed' });
  expect(taken()).toEqual([]);
});

it('distinguishes an unknown mailbox from a server that is away or refuses the sign-in', async () => {
  const config = await startMailServer();
  const mailer = new SmtpMailer(config);
  expect(await mailer.send({ ...MAIL, recipient: 'unknown@example.com' })).toEqual({
    kind: 'refused',
    why: 'EENVELOPE 550',
  });
  writeFileSync(config.passwordFile ?? '', 'wrong');
  expect(await new SmtpMailer(config).send(MAIL)).toMatchObject({ kind: 'failed', why: 'EAUTH 535' });
  expect(await new SmtpMailer({ ...config, port: 1 }).send(MAIL)).toMatchObject({ kind: 'failed' });
});

it('sends simple HTML with the text, in which no text is markup', async () => {
  const mailer = new SmtpMailer(await startMailServer());
  const body = 'Merchant: <img src=x onerror=alert(1)> & sons\n\nThank you.\n';
  expect(await mailer.send({ ...MAIL, body, title: '</title><script>' })).toEqual({ kind: 'sent' });
  const text = (taken()[0]?.text ?? '').replaceAll('=\r\n', '');
  expect(text).toContain('Content-Type: multipart/alternative');
  expect(text).toContain('Merchant: <img src');
  const html = text.slice(text.indexOf('<!doctype html>'));
  expect(html).toMatch(
    /<p dir=(3D)?"auto">Merchant: &lt;img src=(3D)?x onerror=(3D)?alert\(1\)&gt; &amp; sons<\/p>/,
  );
  expect(html).not.toMatch(/<(img|script)/);
});

it('ends no header early, whatever a title or an address holds', async () => {
  const mailer = new SmtpMailer(await startMailServer());
  const title = 'a\r\nBcc: eve@example.com\r\n\r\nbody';
  expect(await mailer.send({ ...MAIL, title })).toEqual({ kind: 'sent' });
  expect(taken()[0]?.to).toEqual(['jane@example.com']);
  expect(taken()[0]?.text).not.toMatch(/^Bcc:/m);
});

it('notifies the payer of a debit, and the operator of an alert by e-mail and webhook', async () => {
  const mail = await startMailServer();
  const receiver = createServer();
  const posted = new Promise<string>((resolve) => {
    receiver.on('request', async (request, response) => {
      const chunks = await request.toArray();
      response.end();
      resolve(Buffer.concat(chunks).toString());
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const home = join(folder, 'gateway');
  const config: GatewayConfig = {
    home,
    host: '127.0.0.1',
    port: 0,
    log: { level: 'info', target: join(home, 'gateway.log') },
    resolverIntervalMs: 60_000,
    parkAfterMs: 900_000,
    transport: { mode: 'test', trustedProxies: [] },
    bridge: { tlsPins: [] },
    acquirers: [],
    egressAllowed: ['127.0.0.1'],
    alerts: { mailTo: ['ops@example.com'], webhookUrl: `http://127.0.0.1:${port}/alerts` },
    mail,
    throttle: DEFAULT_THROTTLE_RATES,
    limits: DEFAULT_HTTP_LIMITS,
    cardTesting: DEFAULT_CARD_TESTING_LIMITS,
    vault: { keepDays: 90, rotateDays: 365 },
    schedules: DEFAULT_SCHEDULE_TIMES,
    requestLog: DEFAULT_REQUEST_LOG,
  };
  const { merchant } = await seed(config);
  const gateway = await startGateway(config);
  const store = await SqliteStore.open(gatewayFiles(home).database);
  try {
    const response = await fetch(`${gateway.url}/v1/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.accessToken}`, connection: 'close' },
      body: new URLSearchParams({
        entityId: merchant.entityId,
        amount: '12.34',
        currency: 'EUR',
        paymentType: 'DB',
        paymentBrand: 'DIRECTDEBIT_SEPA',
        'bankAccount.holder': 'Jane Jones',
        'bankAccount.iban': 'DE23100000001234567890',
        'customer.givenName': 'Jane',
        'customer.surname': 'Jones',
        'customer.email': 'jane@example.com',
      }),
    });
    const { id } = (await response.json()) as { id: string };
    const log = { warn: () => undefined, error: () => undefined };
    const alerts = new Alerts({ store, clock: systemClock, log });
    await alerts.raise({ code: 'chargeback-not-booked', subject: id, detail: 'raised by the test' });
    const toPayer = (await server?.to('jane@example.com'))?.text;
    await server?.to('ops@example.com');
    expect(taken()).toHaveLength(2);
    expect(toPayer).toContain('Mandate:');
    expect(toPayer).not.toContain('DE23100000001234567890');
    expect(JSON.parse(await posted)).toMatchObject({ code: 'chargeback-not-booked', subject: id });
  } finally {
    await store.close();
    await gateway.close();
    receiver.close();
  }
});
