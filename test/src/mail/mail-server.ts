import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { MailConfig } from '@tillbridge/gateway/kernel/outbox/smtp-mailer.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server took it. */
interface ReceivedMail {
  readonly to: readonly string[];
  readonly text: string;
  readonly isEnciphered: boolean;
  readonly user: unknown;
}

/** Who may sign in at a {@link MailServer}. */
export const MAIL_USER = 'gateway';
const PASSWORD = 'a password of the mail server';

/** A mail server on this machine. */
export class MailServer {
  /** What it took, the oldest first. */
  readonly taken: ReceivedMail[] = [];
  readonly #server: SMTPServer;
  readonly #waiting = new Set<() => void>();

  constructor(options: SMTPServerOptions = {}) {
    this.#server = new SMTPServer({
      key: TEST_CERTIFICATE_KEY,
      cert: TEST_CERTIFICATE,
      onAuth: ({ username, password }, _session, done) => {
        if (username === MAIL_USER && password === PASSWORD) done(null, { user: username });
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
          this.taken.push({ to, text, isEnciphered: session.secure, user: session.user });
          done();
          for (const look of this.#waiting) look();
        });
      },
      ...options,
    });
    this.#server.on('error', () => undefined);
  }

  /** Listens with STARTTLS and sign-in; returns its configuration at a gateway. @param folder for files with certificate and password */
  async listen(folder: string): Promise<Required<MailConfig>> {
    const [passwordFile, authorityFile] = [join(folder, 'password'), join(folder, 'ca.pem')];
    writeFileSync(authorityFile, TEST_CERTIFICATE);
    writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
    const listening = this.#server.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return {
      host: '127.0.0.1',
      port: (listening.address() as AddressInfo).port,
      security: 'starttls',
      from: 'payments@shop.example',
      user: MAIL_USER,
      passwordFile,
      authorityFile,
    };
  }

  /** The first mail to an address, once it is there. */
  async to(address: string): Promise<ReceivedMail> {
    const find = () => this.taken.find(({ to }) => to.includes(address));
    for (;;) {
      const found = find();
      if (found) return found;
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.#waiting.delete(look);
          resolve();
        };
        this.#waiting.add(look);
      });
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
