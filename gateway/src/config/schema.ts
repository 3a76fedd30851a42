import { isIP } from 'node:net';
import { MAX_BODY_BYTES } from '@tillbridge/protocol/api/form.js';
import { isTlsPin } from '@tillbridge/protocol/bridge/gateway-pins.js';
import { BRIDGE_LIMITS } from '@tillbridge/protocol/bridge/limits.js';
import { listed } from '@tillbridge/protocol/platform/config/list-setting.js';
import { port } from '@tillbridge/protocol/platform/config/net-setting.js';
import { milliseconds, wholeNumber } from '@tillbridge/protocol/platform/config/number-setting.js';
import {
  homeSetting,
  homeVariable,
  logSection,
  modeSetting,
} from '@tillbridge/protocol/platform/config/program-settings.js';
import { oneOf, path, ruledText, section, text } from '@tillbridge/protocol/platform/config/setting.js';
import { peersOf } from '@tillbridge/protocol/platform/net/peers.js';
import { Type } from '@tillbridge/protocol/schema/type.js';
import { DEFAULT_BRIDGE_LIMITS } from '../bridge/limits/bridge-limits.js';
import { DEFAULT_CARD_TESTING_LIMITS, MAX_CHECKOUTS_PER_ADDRESS } from '../checkouts/checkout-limits.js';
import { DEFAULT_LIMITS } from '../http/limits/http-limits.js';
import {
  DEFAULT_THROTTLE_RATES,
  THROTTLED_OPERATIONS,
  type ThrottledOperation,
} from '../http/throttle/throttle.js';
import { isMailAddress } from '../outbox/outbox-row.js';
import { MAX_CARD_PAIRS } from '../payments/policy/card-tries.js';
import { DEFAULT_SCHEDULE_TIMES } from '../schedules/decide/shortest-interval.js';
import { ACQUIRERS } from './acquirer-section.js';

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

/** A token's label: up to 32 printable characters (PKCS#11 CK_TOKEN_INFO). */
const PKCS11 = section({
  library: path(
    { description: 'Library of a token that holds the symmetric keys.', env: 'GATEWAY_PKCS11_LIBRARY' },
    'the path of the PKCS#11 library of a token',
  ),
  token: text('the label of the token, up to 32 characters', /^[\x20-\x7e]{1,32}$/, {
    description: 'Label of the token.',
    env: 'GATEWAY_PKCS11_TOKEN',
  }),
  pinFile: path(
    { description: 'The user’s PIN of the token.', env: 'GATEWAY_PKCS11_PIN_FILE' },
    'the path of a file of mode 0600 with the PIN of the token',
  ),
});

/** The variable of a key in a section: `GATEWAY_THROTTLE_FOLLOW_UPS`. */
function variableOf(section: string, key: string): string {
  return `GATEWAY_${section}_${key.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
}

/** How many requests of a class a merchant may send. */
function rate(operation: ThrottledOperation) {
  const variable = variableOf('THROTTLE', operation);
  const { perSecond, burst } = DEFAULT_THROTTLE_RATES[operation];
  const requests = (description: string, env: string, preset: number) =>
    wholeNumber(1, 1_000_000, { description, env, default: preset }, 'a whole number of requests');
  return section(
    {
      perSecond: requests(
        operation === 'failedCards'
          ? 'Refused payments with a card number of a token in the long run.'
          : 'Requests of a merchant, with all of its channels, in the long run.',
        `${variable}_PER_SECOND`,
        perSecond,
      ),
      burst: requests('Requests at once after a quiet time.', `${variable}_BURST`, burst),
    },
    { default: {} },
  );
}

/** What agents are told to check of the servers that they reach. */
const BRIDGE = section(
  {
    tlsPins: Type.Optional(
      listed(
        `up to ${BRIDGE_LIMITS.maxPins - 1} pins sha256/BASE64 of public keys, parted by commas`,
        arePins,
        {
          description:
            'Pins of TLS keys that agents may meet beside that of `tls`: those of the proxies, and the next key before it is used.',
          env: 'GATEWAY_BRIDGE_TLS_PINS',
        },
      ),
    ),
    authorityFile: Type.Optional(
      path(
        {
          description: 'Private certification authorities of these keys; agents learn them by enrolment.',
          env: 'GATEWAY_BRIDGE_AUTHORITY_FILE',
        },
        'the path of certificates in PEM',
      ),
    ),
  },
  { default: {} },
);

const RATES = Object.fromEntries(
  THROTTLED_OPERATIONS.map((operation) => [operation, rate(operation)]),
) as Record<ThrottledOperation, ReturnType<typeof rate>>;

const limit = (
  minimum: number,
  maximum: number,
  key: keyof typeof DEFAULT_LIMITS,
  what: string,
  description: string,
) =>
  wholeNumber(
    minimum,
    maximum,
    { description, env: variableOf('LIMITS', key), default: DEFAULT_LIMITS[key] },
    what,
  );

/** What clients may take before anybody knows who they are, and what each of them may take after. */
const LIMITS = section(
  {
    connections: limit(
      1,
      1_000_000,
      'connections',
      'a whole number',
      'Connections at once, agents among them.',
    ),
    connectionsPerPeer: limit(
      1,
      1_000_000,
      'connectionsPerPeer',
      'a whole number',
      'Of one address (IPv6: one network of 64 bits). `trustedProxies` have no such limit.',
    ),
    headerBytes: limit(4_096, 65_536, 'headerBytes', 'bytes', 'Longest head of a request.'),
    headersTimeoutMs: limit(
      100,
      600_000,
      'headersTimeoutMs',
      'milliseconds',
      'How long the head of a request, or a TLS handshake, may take to come.',
    ),
    requestTimeoutMs: limit(
      100,
      600_000,
      'requestTimeoutMs',
      'milliseconds',
      'How long a whole request may take to come.',
    ),
    bodyBytes: limit(1_024, MAX_BODY_BYTES, 'bodyBytes', 'bytes', 'Longest body.'),
    bodyBytesWithoutToken: limit(
      0,
      65_536,
      'bodyBytesWithoutToken',
      'bytes',
      'Longest body of a request without a token header: older clients name themselves in it. One address may have 64 times as much under way. 0: their forms are refused.',
    ),
    bodyBytesPerMerchant: limit(
      MAX_BODY_BYTES,
      1_073_741_824,
      'bodyBytesPerMerchant',
      'bytes',
      'Sum of the bodies of one merchant that are not answered yet.',
    ),
    requestsAtWork: limit(
      8,
      10_000,
      'requestsAtWork',
      'a whole number',
      'Requests at work at once, shared fairly among the merchants that are active. Others wait their turn for half a second, then get 429 or 503.',
    ),
    strangersPerSecond: limit(
      1,
      1_000_000,
      'strangersPerSecond',
      'a whole number',
      'Requests without a token, or with one that is refused, of one address a second. Further ones wait 5 seconds at most, then get 429.',
    ),
    strangersBurst: limit(
      1,
      1_000_000,
      'strangersBurst',
      'a whole number',
      'How many of them may come at once after a quiet time.',
    ),
  },
  { default: {} },
);

/** How long card data and the keys of it serve. */
const VAULT = section(
  {
    keepDays: wholeNumber(
      1,
      3_650,
      {
        description: 'How long card data is kept after its last use, where no registration needs it.',
        env: 'GATEWAY_VAULT_KEEP_DAYS',
        default: 90,
      },
      'days',
    ),
    rotateDays: wholeNumber(
      1,
      3_650,
      {
        description: 'Age at which the data key of the vault is replaced.',
        env: 'GATEWAY_VAULT_ROTATE_DAYS',
        default: 365,
      },
      'days',
    ),
  },
  { default: {} },
);

/** How often cards may be tried before it looks like a test of stolen ones. */
const CARD_TESTING = section(
  {
    attempts: wholeNumber(
      1,
      1_000,
      {
        description: 'Payment details that shoppers may send for one checkout.',
        env: 'GATEWAY_CARD_TESTING_ATTEMPTS',
        default: DEFAULT_CARD_TESTING_LIMITS.attempts,
      },
      'a whole number',
    ),
    checkoutsPerAddress: wholeNumber(
      1,
      MAX_CHECKOUTS_PER_ADDRESS,
      {
        description:
          'Checkouts for which one address (IPv6: one network of 64 bits) may send payment details within `windowMs`.',
        env: 'GATEWAY_CARD_TESTING_CHECKOUTS_PER_ADDRESS',
        default: DEFAULT_CARD_TESTING_LIMITS.checkoutsPerAddress,
      },
      'a whole number',
    ),
    windowMs: milliseconds(1_000, 86_400_000, {
      description: 'The time in which these are counted.',
      env: 'GATEWAY_CARD_TESTING_WINDOW_MS',
      default: DEFAULT_CARD_TESTING_LIMITS.windowMs,
    }),
    pairsAtMerchant: wholeNumber(
      1,
      MAX_CARD_PAIRS,
      {
        description:
          'Pairs of expiry and card verification value that one card may be tried with at a merchant within `pairWindowMs`, from whatever addresses.',
        env: 'GATEWAY_CARD_TESTING_PAIRS_AT_MERCHANT',
        default: DEFAULT_CARD_TESTING_LIMITS.pairsAtMerchant,
      },
      'a whole number',
    ),
    pairsOfCard: wholeNumber(
      1,
      MAX_CARD_PAIRS,
      {
        description: 'The same at all merchants together.',
        env: 'GATEWAY_CARD_TESTING_PAIRS_OF_CARD',
        default: DEFAULT_CARD_TESTING_LIMITS.pairsOfCard,
      },
      'a whole number',
    ),
    pairWindowMs: milliseconds(1_000, 7 * 86_400_000, {
      description: 'The time in which the pairs of a card are counted.',
      env: 'GATEWAY_CARD_TESTING_PAIR_WINDOW_MS',
      default: DEFAULT_CARD_TESTING_LIMITS.pairWindowMs,
    }),
  },
  { default: {} },
);

/** What merchants may schedule. */
const SCHEDULES = section(
  {
    shortestIntervalSeconds: wholeNumber(
      1,
      86_400,
      {
        description:
          'From one run of a schedule to the next, at least; a job that runs more often is refused.',
        env: 'GATEWAY_SCHEDULES_SHORTEST_INTERVAL_SECONDS',
        default: DEFAULT_SCHEDULE_TIMES.shortestIntervalSeconds,
      },
      'seconds',
    ),
  },
  { default: {} },
);

/** Where the gateway may call: receivers of webhooks, shops, risk screening. */
const EGRESS = section(
  {
    allow: Type.Optional(
      listed('addresses or networks, parted by commas, such as 10.0.0.0/8', arePeers, {
        description:
          'Private networks that merchants may name in URLs which the gateway calls, such as those of webhooks. Public addresses are allowed always.',
        env: 'GATEWAY_EGRESS_ALLOW',
      }),
    ),
  },
  { default: {} },
);
const SCREENING = section({
  url: text('an http or https address without a user in it', /^https?:\/\/[^\s@]{1,2000}$/, {
    description: 'Where payments are screened by an external service; https in mode `live`.',
    env: 'GATEWAY_SCREENING_URL',
  }),
  timeLimitMs: milliseconds(50, 10_000, {
    description: 'How long it may take for one payment; after it, it counts as silent.',
    env: 'GATEWAY_SCREENING_TIME_LIMIT_MS',
    default: 2_000,
  }),
  whenSilent: oneOf(['pass', 'flag', 'review', 'refuse'], {
    description: 'What becomes of a payment without its verdict; `flag`: approved with 000.400.082.',
    env: 'GATEWAY_SCREENING_WHEN_SILENT',
    default: 'review',
  }),
});

/** The mail server. */
const MAIL = section({
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
      description: 'Who signs in there; without it nobody does.',
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

/** Who is told of alerts. */
const ALERTS = section(
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

/** The FTP location of reconciliation files; with the certificate of `tls`. */
const RECONCILIATION_FTP = section({
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
    log: logSection('GATEWAY_LOG', '`gateway.log` in the home'),
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
          'Directory server of 3-D Secure; in mode `live` of https. Without it no cardholder can be authenticated.',
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
    bridge: BRIDGE,
    pkcs11: Type.Optional(PKCS11),
    screening: Type.Optional(SCREENING),
    mail: Type.Optional(MAIL),
    alerts: ALERTS,
    reconciliationFtp: Type.Optional(RECONCILIATION_FTP),
    throttle: section(RATES, { default: {} }),
    limits: LIMITS,
    egress: EGRESS,
    vault: VAULT,
    cardTesting: CARD_TESTING,
    schedules: SCHEDULES,
  },
  { variables: homeVariable('gateway', 'GATEWAY_HOME') },
);

/** People who get an e-mail for each alert, at most. */
const MAX_MAILS = 10;

function isMail(value: unknown) {
  return typeof value === 'string' && isMailAddress(value) ? undefined : {};
}

function areMails(mails: readonly string[]): boolean {
  return mails.length <= MAX_MAILS && mails.every(isMailAddress);
}

function arePins(pins: readonly string[]): boolean {
  return pins.length < BRIDGE_LIMITS.maxPins && pins.every(isTlsPin);
}

function arePeers(peers: readonly string[]): boolean {
  try {
    peersOf(peers);
    return true;
  } catch {
    return false;
  }
}

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
