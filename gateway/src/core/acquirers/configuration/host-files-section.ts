import { port } from '@tillbridge/platform/config/net-setting.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { oneOf, ruledText, section, text, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { isNamePattern } from './file-names.js';

const pattern = (description: string, preset: string) =>
  ruledText(
    'a file name, in which * stands for any part and {day} for the settlement day',
    (value) => (typeof value === 'string' && isNamePattern(value) ? undefined : {}),
    { description, default: preset },
  );

const FTP = section({
  host: text('a host name or address', /^[A-Za-z0-9.:-]{1,253}$/, {
    description: 'The FTP server of the acquirer; it must speak TLS.',
  }),
  port: port({ description: 'Its port.', default: 21 }),
  security: oneOf(['explicit', 'implicit'], {
    description: '`explicit`: AUTH TLS; `implicit`: TLS from the first byte.',
    default: 'explicit',
  }),
  user: text('a user of the server', /^[^\r\n]{1,256}$/, { description: 'Who signs in there.' }),
  passwordFile: path(
    { description: 'The password of that user.' },
    'the path of a file of mode 0600 with the password',
  ),
  folder: text('a path on the server', /^[^\r\n]{1,1024}$/, {
    description: 'Where the files are there.',
    default: '/',
  }),
  authorityFile: Type.Optional(path({ description: 'PEM of a private certification authority.' })),
});

/** Where an acquirer puts its settlement and chargeback files for us. */
export const HOST_FILES = section({
  folder: Type.Optional(path({ description: 'A folder of this machine, or one that all nodes share.' })),
  ftp: Type.Optional(FTP),
  settlements: pattern('Names of settlement files.', 'settlement-{day}.csv'),
  chargebacks: pattern('Names of chargeback files.', 'chargebacks-*.csv'),
  mappingFile: Type.Optional(
    path({ description: 'How their columns are named, in JSON; without it those of specification 2.11.' }),
  ),
  everySeconds: wholeNumber(10, 86_400, {
    description:
      'How often is looked for them, in seconds. A file is taken once it has not changed from one look to the next.',
    default: 300,
  }),
});
