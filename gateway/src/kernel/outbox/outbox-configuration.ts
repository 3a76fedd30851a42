import { listed } from '@tillbridge/platform/config/list-setting.js';
import { port } from '@tillbridge/platform/config/net-setting.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { oneOf, ruledText, section, text } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { isMailAddress } from './outbox-row.js';

/** The mail server. */
export const MAIL_SECTION = section({
  host: text('a host name or address', /^[A-Za-z0-9.:-]{1,253}$/, {
    description: 'The SMTP server that takes e-mails to payers and operators.',
    env: 'GATEWAY_MAIL_HOST',
  }),
  port: port({ description: 'Its port.', env: 'GATEWAY_MAIL_PORT', default: 587 }),
  security: oneOf(['starttls', 'implicit', 'none'], {
    description: '`starttls` or `implicit` TLS; `none` for a server on this machine alone.',
    env: 'GATEWAY_MAIL_SECURITY',
    default: 'starttls',
  }),
  from: ruledText('an e-mail address', isMail, {
    description: 'The address that e-mails are from.',
    env: 'GATEWAY_MAIL_FROM',
  }),
  user: Type.Optional(
    text('a user of the server', /^[^\r\n]{1,256}$/, {
      description: 'Who signs in there; absent: no sign-in.',
      env: 'GATEWAY_MAIL_USER',
    }),
  ),
  passwordFile: Type.Optional(
    path(
      { description: 'The password of that user.', env: 'GATEWAY_MAIL_PASSWORD_FILE' },
      'the path of a file of mode 0600 with the password',
    ),
  ),
  authorityFile: Type.Optional(
    path({ description: 'PEM of a private certification authority.', env: 'GATEWAY_MAIL_AUTHORITY_FILE' }),
  ),
});

/** Who receives alerts. */
export const ALERTS_SECTION = section(
  {
    mailTo: Type.Optional(
      listed('e-mail addresses, parted by commas', areMails, {
        description: 'Who gets an e-mail for each alert; needs `mail`.',
        env: 'GATEWAY_ALERTS_MAIL_TO',
      }),
    ),
    webhookUrl: Type.Optional(
      text('an http or https address without a user in it', /^https?:\/\/[^\s@]{1,2000}$/, {
        description: 'Where each alert is posted to as JSON; https in mode `live`.',
        env: 'GATEWAY_ALERTS_WEBHOOK_URL',
      }),
    ),
  },
  { default: {} },
);

/** People who get an e-mail for each alert, at most. */
const MAX_MAILS = 10;

function isMail(value: unknown) {
  return typeof value === 'string' && isMailAddress(value) ? undefined : {};
}

function areMails(mails: readonly string[]): boolean {
  return mails.length <= MAX_MAILS && mails.every(isMailAddress);
}
