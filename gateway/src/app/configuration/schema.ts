import { isIP } from 'node:net';
import { listed } from '@tillbridge/platform/config/list-setting.js';
import { port } from '@tillbridge/platform/config/net-setting.js';
import { milliseconds } from '@tillbridge/platform/config/number-setting.js';
import {
  homeSetting,
  homeVariable,
  logSectionWithSecurity,
  modeSetting,
} from '@tillbridge/platform/config/program-settings.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { ruledText, section } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { ACQUIRERS } from '../../core/acquirers/configuration/acquirer-section.js';
import { BRIDGE_SECTION } from '../../core/bridge/bridge-configuration.js';
import { DEFAULT_BRIDGE_LIMITS } from '../../core/bridge/limits/bridge-limits.js';
import { EGRESS_SECTION } from '../../kernel/egress/egress-configuration.js';
import { arePeers } from '../../kernel/egress/peer-lists.js';
import { LIMITS_SECTION } from '../../kernel/http/limits/limits-configuration.js';
import { THROTTLE_SETTINGS } from '../../kernel/http/throttle/throttle-configuration.js';
import { ALERTS_SECTION, MAIL_SECTION } from '../../kernel/outbox/outbox-configuration.js';
import { PKCS11_SECTION } from '../../security/pkcs11/pkcs11-configuration.js';
import { VAULT_SECTION } from '../../security/vault/vault-configuration.js';
import { FEATURE_SETTINGS } from './feature-settings.js';

const TLS = section({
  certificateFile: path(
    { description: 'Certificate, the chain after it.', env: 'GATEWAY_TLS_CERTIFICATE_FILE' },
    'the path of a certificate in PEM',
  ),
  keyFile: path({ description: 'Its key.', env: 'GATEWAY_TLS_KEY_FILE' }, 'the path of its key in PEM'),
  redirectPort: Type.Optional(
    port({
      description: 'A port for plain HTTP that sends everybody to https.',
      env: 'GATEWAY_TLS_REDIRECT_PORT',
    }),
  ),
});

/** The configuration of `tillbridge-gateway`. */
export const GATEWAY_SETTINGS = section(
  {
    home: homeSetting('gateway', 'GATEWAY_HOME', 'All data of the gateway; belongs to one process alone.'),
    host: ruledText(
      'a loopback address (127.0.0.1, ::1 or localhost), or another address of this machine',
      (value) => (value === 'localhost' || (typeof value === 'string' && isIP(value) > 0) ? undefined : {}),
      {
        description: 'Address to listen on; beyond loopback `tls` or `trustedProxies` is needed.',
        env: 'GATEWAY_HOST',
        default: '127.0.0.1',
      },
    ),
    port: port({ description: 'Port; 0: any free one.', env: 'GATEWAY_PORT', default: 8080 }),
    log: logSectionWithSecurity('GATEWAY_LOG', '`gateway.log` in the home', 'GATEWAY_SECURITY_LOG'),
    resolverIntervalMs: milliseconds(100, 3_600_000, {
      description: 'How often payments whose outcome is open are looked after.',
      env: 'GATEWAY_RESOLVER_INTERVAL_MS',
      default: 5_000,
    }),
    parkAfterMs: milliseconds(60_000, 86_400_000, {
      description:
        'How long an agent’s message that cannot be decided may hold up its terminal’s stream before it is parked.',
      env: 'GATEWAY_PARK_AFTER_MS',
      default: DEFAULT_BRIDGE_LIMITS.streamBlockMs,
    }),
    mode: modeSetting(
      'GATEWAY_MODE',
      '`test`: simulators and test keys; `live`: neither, and no plain HTTP.',
    ),
    tls: Type.Optional(TLS),
    trustedProxies: Type.Optional(
      listed('addresses or networks of proxies, parted by commas, such as 10.0.0.0/8', arePeers, {
        description: 'Proxies that are believed when they say how their clients came; a list or one text.',
        env: 'GATEWAY_TRUSTED_PROXIES',
      }),
    ),
    publicUrl: Type.Optional(
      ruledText(
        'the https address of this gateway for its clients, without a path',
        (value) => (isHttpsOrigin(value) ? undefined : {}),
        {
          description: 'Where plain HTTP is sent to, and where shoppers find our pages.',
          env: 'GATEWAY_PUBLIC_URL',
        },
      ),
    ),
    simulatedBankUrl: Type.Optional(
      ruledText('an http or https address', (value) => (isHttpUrl(value) ? undefined : {}), {
        description:
          'Mode `test`: the simulated bank (`tillbridge-sim bank`), at which shoppers approve payments without a card, and which has the sheets of simulated wallets; without it these payments are refused, and wallets open no sheet.',
        env: 'GATEWAY_SIMULATED_BANK_URL',
      }),
    ),
    directoryServerUrl: Type.Optional(
      ruledText('an http or https address', (value) => (isHttpUrl(value) ? undefined : {}), {
        description:
          'Directory server of 3D Secure; in mode `live` of https. Without it no cardholder can be authenticated.',
        env: 'GATEWAY_DIRECTORY_SERVER_URL',
      }),
    ),
    databaseUrl: Type.Optional(
      ruledText(
        'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
        (value) => (isPostgresUrl(value) ? undefined : {}),
        {
          description:
            'A PostgreSQL database in the place of the SQLite files of the home; several gateways may use it at once.',
          env: 'DATABASE_URL',
          secret: true,
        },
      ),
    ),
    acquirers: ACQUIRERS,
    bridge: BRIDGE_SECTION,
    pkcs11: Type.Optional(PKCS11_SECTION),
    mail: Type.Optional(MAIL_SECTION),
    alerts: ALERTS_SECTION,
    throttle: section(THROTTLE_SETTINGS, { default: {} }),
    limits: LIMITS_SECTION,
    egress: EGRESS_SECTION,
    vault: VAULT_SECTION,
    ...FEATURE_SETTINGS,
  },
  { variables: homeVariable('gateway', 'GATEWAY_HOME') },
);

function isPostgresUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, pathname } = new URL(value);
  return /^postgres(ql)?:$/.test(protocol) && hostname !== '' && pathname.length > 1;
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:\/\//.test(value);
}

function isHttpsOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, pathname, search, hash, username } = new URL(value);
  return protocol === 'https:' && pathname === '/' && search === '' && hash === '' && username === '';
}
