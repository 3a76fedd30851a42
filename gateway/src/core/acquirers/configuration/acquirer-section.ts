import { DIALECT_CHANGES, MAC_METHODS } from '@tillbridge/platform/config/dialect-section.js';
import { listed } from '@tillbridge/platform/config/list-setting.js';
import { milliseconds } from '@tillbridge/platform/config/number-setting.js';
import { flag, path } from '@tillbridge/platform/config/setting.js';
import { oneOf, ruledText, section, text, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { KEY_SET_FORM } from '@tillbridge/wire/crypto/dukpt/ksn-sequence.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { HOST_FILES } from './host-files-section.js';
import { STAND_IN } from './stand-in-section.js';

/** Acquirers at most. */
const MAX_ACQUIRERS = 16;
/** Hosts of one acquirer at most. */
const MAX_HOSTS = 8;
/** Names that acquirers of other kinds have. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['INTERNAL', 'NONE']);

/** What names the card of a message that follows another one. */
const FOLLOW_UPS = ['card', 'reference'] as const;

/** Where a host of an acquirer is. */
interface HostAddress {
  readonly host: string;
  readonly port: number;
}

/** Host and port of `host:port`, `[address]:port` for IPv6; undefined for anything else. */
export function hostAddressOf(value: string): HostAddress | undefined {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._-]{1,253})):(\d{1,5})$/.exec(value) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

function areHosts(hosts: readonly string[]): boolean {
  return hosts.length >= 1 && hosts.length <= MAX_HOSTS && hosts.every((each) => hostAddressOf(each));
}

const pem = (description: string) => Type.Optional(path({ description }, 'the path of a file in PEM'));

/** An acquirer that is reached by ISO 8583. */
const ACQUIRER = section({
  name: ruledText(
    '1 to 16 uppercase letters, digits and hyphens, not INTERNAL or NONE',
    (value) =>
      typeof value === 'string' && /^[A-Z0-9-]{1,16}$/.test(value) && !RESERVED_NAMES.has(value)
        ? undefined
        : {},
    { description: 'Its name in routes, payments and keys.' },
  ),
  hosts: listed(`1 to ${MAX_HOSTS} of host:port, parted by commas`, areHosts, {
    description: 'Its hosts: the first that can be reached is used.',
  }),
  dialect: oneOf(DIALECT_NAMES, {
    description: 'The dialect of ISO 8583 that they speak.',
    default: '1987-binary',
  }),
  dialectChanges: Type.Optional(DIALECT_CHANGES),
  acquirerId: Type.Optional(
    text('up to 11 digits', /^\d{1,11}$/, { description: 'Number of the acquiring institution (field 32).' }),
  ),
  followUps: oneOf(FOLLOW_UPS, {
    description:
      'What names the card of captures, refunds and reversals: its number and expiry (fields 2 and 14), read from the vault when a message is sent; or the references of the original alone.',
    default: 'card',
  }),
  macMethod: oneOf(MAC_METHODS, {
    description:
      'How authentication codes of messages are made: `iso9797Algorithm1` (X9.9, with TDES), `iso9797Algorithm3` (X9.19) or `cmac`. `none`: there are none, and the line alone proves who sends: only with `tls` and a certificate of our own, or with `privateLine`.',
    default: 'iso9797Algorithm3',
  }),
  privateLine: Type.Optional(
    flag({
      description:
        'The way to the hosts is a line that no others reach: messages without codes may go over it without `tls`.',
    }),
  ),
  macKeySet: Type.Optional(
    text('8 or 10 uppercase hex digits', KEY_SET_FORM, {
      description:
        'Authentication codes by DUKPT, each under its own key: the leading digits of the key serial numbers, ten of TDES or eight of AES, under a `bdk-mac` key. Without it one key is shared.',
    }),
  ),
  connections: wholeNumber(1, 64, { description: 'Connections of this gateway at once.', default: 2 }),
  connectTimeoutMs: milliseconds(100, 60_000, {
    description: 'How long a connection may take to come.',
    default: 5_000,
  }),
  answerTimeoutMs: milliseconds(100, 120_000, {
    description: 'How long an answer may take; after it a request is reversed.',
    default: 20_000,
  }),
  echoAfterMs: milliseconds(1_000, 3_600_000, {
    description: 'After how long without a message the gateway sends an echo test to a host.',
    default: 60_000,
  }),
  zoneKeyHours: Type.Optional(
    wholeNumber(1, 8_760, {
      description:
        'How often new zone keys, MAC and PIN, are requested from a host, in hours; never without it. One of several gateways sends the request.',
    }),
  ),
  standIn: Type.Optional(STAND_IN),
  files: Type.Optional(HOST_FILES),
  tls: Type.Optional(
    section({
      authorityFile: pem('Certification authorities of the hosts; without it those of the system.'),
      certificateFile: pem('Our own certificate, where the hosts ask for one.'),
      keyFile: pem('Its key.'),
      serverName: Type.Optional(
        text('a host name', /^[0-9A-Za-z.-]{1,253}$/, {
          description: 'Name in the certificate of the hosts, where it is another one than their address.',
        }),
      ),
    }),
  ),
});

/** The acquirers that are reached by ISO 8583. */
export const ACQUIRERS = Type.Array(ACQUIRER, {
  maxItems: MAX_ACQUIRERS,
  expected: `a list of at most ${MAX_ACQUIRERS}`,
  description: 'Acquirers that are reached by ISO 8583 (acquirer-link.md).',
  env: 'GATEWAY_ACQUIRERS',
  default: [],
});

/** An acquirer of the configuration. */
export type AcquirerConfig = Readonly<Static<typeof ACQUIRER>>;
