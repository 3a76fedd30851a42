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
import { DEFAULT_SCHEDULE_TIMES } from '@tillbridge/gateway/features/schedules/rules/shortest-interval.js';
import { Alerts } from '@tillbridge/gateway/kernel/alerts/alerts.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { DEFAULT_HTTP_LIMITS } from '@tillbridge/gateway/kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '@tillbridge/gateway/kernel/http/throttle/throttle.js';
import { type MailConfig, SmtpMailer } from '@tillbridge/gateway/kernel/outbox/smtp-mailer.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** A mail as the server took it. */
interface ReceivedMail {
  readonly to: readonly string[];
  readonly text: string;
  readonly isEnciphered: boolean;
  readonly user: unknown;
}

const USER = 'gateway';
const PASSWORD = 'a password of the mail server';

let folder: string;
let server: SMTPServer | undefined;
let taken: ReceivedMail[];
let onReceived: () => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-mail-'));
  taken = [];
  onReceived = () => undefined;
  writeFileSync(join(folder, 'ca.pem'), TEST_CERTIFICATE);
  writeFileSync(join(folder, 'password'), `${PASSWORD}\n`, { mode: 0o600 });
});
afterEach(async () => {
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** Starts a mail server with STARTTLS and sign-in; returns its configuration at the gateway. */
async function startMailServer(options: SMTPServerOptions = {}): Promise<MailConfig> {
  server = new SMTPServer({
    key: TEST_CERTIFICATE_KEY,
    cert: TEST_CERTIFICATE,
    onAuth: ({ username, password }, _session, done) => {
      if (username === USER && password === PASSWORD) done(null, { user: username });
      else done(new Error('no such user'));
    },
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith('unknown@'))
        done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
      else done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const text = Buffer.concat(chunks).toString('utf8');
        taken.push({ to, text, isEnciphered: session.secure, user: session.user });
        done();
        onReceived();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    host: '127.0.0.1',
    port: (listening.address() as AddressInfo).port,
    security: 'starttls',
    from: 'payments@shop.example',
    user: USER,
    passwordFile: join(folder, 'password'),
    authorityFile: join(folder, 'ca.pem'),
  };
}

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
  expect(taken).toMatchObject([{ to: ['jane@example.com'], isEnciphered: true, user: USER }]);
  const text = taken[0]?.text ?? '';
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
  expect(taken).toEqual([]);
});

it('refuses a certificate of STARTTLS that no authority of ours signed', async () => {
  const { authorityFile: _, ...config } = await startMailServer();
  expect(await new SmtpMailer(config).send(MAIL)).toMatchObject({ kind: 'failed' });
  expect(taken).toEqual([]);
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

it('ends no header early, whatever a title or an address holds', async () => {
  const mailer = new SmtpMailer(await startMailServer());
  const title = 'a\r\nBcc: eve@example.com\r\n\r\nbody';
  expect(await mailer.send({ ...MAIL, title })).toEqual({ kind: 'sent' });
  expect(taken[0]?.to).toEqual(['jane@example.com']);
  expect(taken[0]?.text).not.toMatch(/^Bcc:/m);
});

it('notifies the payer of a debit, and the operator of an alert by e-mail and webhook', async () => {
  const mail = await startMailServer();
  const posts: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (chunk) => posts.push(String(chunk)));
    request.on('end', () => {
      response.end();
      onReceived();
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
  };
  const { merchant } = await seed(config);
  const gateway = await startGateway(config);
  const store = await SqliteStore.open(gatewayFiles(home).database);
  try {
    const all = new Promise<void>((resolve) => {
      onReceived = () => {
        if (taken.length === 2 && posts.length === 1) resolve();
      };
    });
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
    await all;
    expect(taken.map(({ to }) => to[0]).sort()).toEqual(['jane@example.com', 'ops@example.com']);
    const toPayer = taken.find(({ to }) => to[0] === 'jane@example.com')?.text;
    expect(toPayer).toContain('Mandate:');
    expect(toPayer).not.toContain('DE23100000001234567890');
    expect(JSON.parse(posts[0] ?? '')).toMatchObject({ code: 'chargeback-not-booked', subject: id });
  } finally {
    await store.close();
    await gateway.close();
    receiver.close();
  }
});
