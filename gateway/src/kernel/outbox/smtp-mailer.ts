import { readFileSync } from 'node:fs';
import { MIN_TLS_VERSION } from '@tillbridge/platform/net/tls-certificate.js';
import type { Transporter } from 'nodemailer';
import { readSecretFile } from '../data-folder/secret-file.js';
import type { OutboxRow } from '../store/rows.js';
import { mailHtml } from './mail-html.js';

/** The mail server, and who the mails are from. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** `starttls`: never without it. `implicit`: TLS from the first byte. `none`: a server on this machine. */
  readonly security: 'starttls' | 'implicit' | 'none';
  readonly from: string;
  readonly user?: string;
  /** File of mode 0600. */
  readonly passwordFile?: string;
  /** PEM of a private certification authority. */
  readonly authorityFile?: string;
}

/** How long each step with the mail server may take, in milliseconds. */
const SMTP_TIMEOUT_MS = 20_000;

/** How a try ended. */
export type MailVerdict =
  | { readonly kind: 'sent' }
  /** Another try may succeed. */
  | { readonly kind: 'failed'; readonly why: string }
  /** The server will never take it (RFC 5321, 5xx for this recipient). */
  | { readonly kind: 'refused'; readonly why: string };

/** Sends mails by SMTP. The library is loaded with the first mail. */
export class SmtpMailer {
  readonly #config: MailConfig;
  #transport: Promise<Transporter> | undefined;

  constructor(config: MailConfig) {
    this.#config = config;
  }

  /** Sends a mail once. Its Message-ID is that of its row: a receiver that gets it again knows it. */
  async send({ id, recipient, title, body }: OutboxRow): Promise<MailVerdict> {
    const { from } = this.#config;
    try {
      const transport = await this.#open();
      await transport.sendMail({
        from,
        to: { name: '', address: recipient },
        envelope: { from, to: recipient },
        subject: title,
        text: body,
        html: mailHtml(body),
        messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
        // RFC 3834: no automatic reply answers it.
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { kind: 'sent' };
    } catch (error) {
      return verdictOf(error);
    }
  }

  #open(): Promise<Transporter> {
    this.#transport ??= openTransport(this.#config);
    // What failed to load or to read is tried anew.
    this.#transport.catch(() => {
      this.#transport = undefined;
    });
    return this.#transport;
  }
}

async function openTransport({ host, port, security, ...more }: MailConfig): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { user, passwordFile, authorityFile } = more;
  const pass =
    passwordFile === undefined ? '' : (readSecretFile(passwordFile)?.toString('utf8').trim() ?? '');
  return createTransport({
    host,
    port,
    secure: security === 'implicit',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== undefined && { auth: { user, pass } }),
    tls: {
      minVersion: MIN_TLS_VERSION,
      ...(authorityFile !== undefined && { ca: readFileSync(authorityFile, 'utf8') }),
    },
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
}

/** Replies that refuse this mail for ever; to a 5xx of the connection or the sign-in an operator has an answer. */
const FOR_EVER: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

function verdictOf(error: unknown): MailVerdict {
  const { code, responseCode = 0 } = error as { readonly code?: unknown; readonly responseCode?: number };
  // The text of a reply may repeat the address: the report has its code alone.
  const why = [typeof code === 'string' ? code : 'unknown fault', responseCode || ''].join(' ').trim();
  return responseCode >= 500 && FOR_EVER.has(code) ? { kind: 'refused', why } : { kind: 'failed', why };
}
