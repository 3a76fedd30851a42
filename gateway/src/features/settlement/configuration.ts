import { isIP } from 'node:net';
import { port } from '@tillbridge/platform/config/net-setting.js';
import { ruledText, section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';

/** The FTP location of reconciliation files; with the certificate of `tls`. */
const RECONCILIATION_FTP_SECTION = section({
  host: ruledText(
    'an address of this machine',
    (value) => (typeof value === 'string' && isIP(value) > 0 ? undefined : {}),
    {
      description: 'Address to listen on.',
      env: 'GATEWAY_RECONCILIATION_FTP_HOST',
      default: '127.0.0.1',
    },
  ),
  port: port({ description: 'Port of commands.', env: 'GATEWAY_RECONCILIATION_FTP_PORT', default: 2121 }),
  passivePort: wholeNumber(1_024, 65_000, {
    description: 'First port of the connections that bring files.',
    env: 'GATEWAY_RECONCILIATION_FTP_PASSIVE_PORT',
    default: 40_000,
  }),
  passivePorts: wholeNumber(1, 500, {
    description: 'How many of these there are.',
    env: 'GATEWAY_RECONCILIATION_FTP_PASSIVE_PORTS',
    default: 100,
  }),
  publicAddress: Type.Optional(
    ruledText(
      'an IPv4 address',
      (value) => (typeof value === 'string' && isIP(value) === 4 ? undefined : {}),
      {
        description: 'Address that clients reach them at, where it is another one than `host`.',
        env: 'GATEWAY_RECONCILIATION_FTP_PUBLIC_ADDRESS',
      },
    ),
  ),
});

/** Settings of the feature. */
export const SETTLEMENT_SETTINGS = { reconciliationFtp: Type.Optional(RECONCILIATION_FTP_SECTION) };
