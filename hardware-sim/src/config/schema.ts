import { DIALECT_CHANGES, MAC_METHODS } from '@tillbridge/platform/config/dialect-section.js';
import { host, hostNames, port } from '@tillbridge/platform/config/net-setting.js';
import { milliseconds } from '@tillbridge/platform/config/number-setting.js';
import { homeSetting, homeVariable, logSection } from '@tillbridge/platform/config/program-settings.js';
import { flag, path } from '@tillbridge/platform/config/setting.js';
import { oneOf, ruledText, section, text, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { KEY_SET_FORM } from '@tillbridge/wire/crypto/dukpt/ksn-sequence.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { DEVICE_TYPES, deviceTypeOf } from '@tillbridge/wire/terminals/device-types.js';
import { TRANSPORTS } from '@tillbridge/wire/terminals/transports.js';
import { CARD_NAMES } from '../cards/catalogue.js';
import { KEY_FORMS } from '../hosts/acquirer/keys/key-names.js';
import { dukptScheme } from '../terminals/core/dukpt-schemes.js';
import { modelSpec } from '../terminals/models.js';

const MAX_TERMINALS = 64;

/** Initial key serial numbers: 10 bytes, or 12 of AES DUKPT for models whose keys may be of that. */
const KSN = {
  tdes: {
    form: /^[0-9A-Fa-f]{20}$/,
    expected: '20 hex digits, the last 21 bits zero (an initial key serial number)',
  },
  aes: { form: /^[0-9A-Fa-f]{24}$/, expected: '24 hex digits, the last 8 zero (of AES DUKPT)' },
};

function isInitialKsn(value: unknown, form: RegExp): boolean {
  if (typeof value !== 'string' || !form.test(value)) return false;
  const ksn = Buffer.from(value, 'hex');
  return dukptScheme(ksn).counter(ksn) === 0;
}

const ksn = (description: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      expected: `${KSN.tdes.expected}, or for models with keys of AES DUKPT ${KSN.aes.expected}`,
      description,
      fallback: 'follows from the serial',
    }),
  );
const keyIndex = (description: string) => wholeNumber(0, 99, { description, default: 1 });

const TERMINAL = section(
  {
    id: ruledText(
      '1 to 32 letters, digits, hyphens',
      (value) => (/^[0-9A-Za-z-]{1,32}$/.test(String(value)) ? undefined : {}),
      { description: 'Its name here and in the REST control.' },
    ),
    deviceType: oneOf(DEVICE_TYPES, { description: 'Its model.' }),
    serial: text('1 to 32 letters and digits', /^[0-9A-Za-z]{1,32}$/, { description: 'The maker’s serial.' }),
    transport: Type.Optional(
      oneOf(TRANSPORTS, { description: 'How it is plugged in.', fallback: 'the first that the model has' }),
    ),
    ksnPin: ksn('Initial key serial number of the PIN key, counter zero.'),
    ksnData: ksn('The same of the data key.'),
    pinKeyIndex: keyIndex('Index of the PIN key.'),
    dataKeyIndex: keyIndex('Index of the data key.'),
    defaultCard: oneOf(CARD_NAMES, {
      description: 'Card that it gets by itself with `auto`.',
      default: 'visa-credit-online',
    }),
  },
  { rule: (value: unknown) => misfit(value as Readonly<Record<string, unknown>> | null) },
);

/** What the model of a terminal has against the rest. */
function misfit(terminal: Readonly<Record<string, unknown>> | null): RuleFault | undefined {
  const { deviceType, transport } = terminal ?? {};
  const known = deviceTypeOf(String(deviceType));
  if (!known) return undefined;
  const { transports, aes } = modelSpec(known);
  if (transport !== undefined && !transports.some((each) => each === transport))
    return { at: 'transport', problem: `must be one of ${transports.join(', ')} for ${deviceType}` };
  const rules = aes ? [KSN.tdes, KSN.aes] : [KSN.tdes];
  const wrong = (['ksnPin', 'ksnData'] as const).find((key) => {
    const value = terminal?.[key];
    return value !== undefined && !rules.some(({ form }) => isInitialKsn(value, form));
  });
  return wrong && { at: wrong, problem: `must be ${rules.map(({ expected }) => expected).join(', or ')}` };
}

/** Host and port of the gateway, of `host:port`. */
export function targetOf(value: unknown): { targetHost: string; targetPort: number } | undefined {
  const match = typeof value === 'string' ? /^\[?([0-9A-Za-z.:_-]+?)\]?:(\d{1,5})$/.exec(value) : null;
  const targetPort = Number(match?.[2]);
  return match?.[1] && targetPort >= 1 && targetPort <= 65_535
    ? { targetHost: match[1], targetPort }
    : undefined;
}

const isHttpUrl = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value);

/** The configuration of `tillbridge-sim`. */
export const SIMULATOR_SETTINGS = section(
  {
    home: homeSetting('simulator', 'SIM_HOME', 'Cards, keys and counters; belongs to one process alone.'),
    host: host({ description: 'Address of the REST control.', env: 'SIM_HOST', default: '127.0.0.1' }),
    hostNames: Type.Optional(
      hostNames({
        description:
          'Names under which it is called, in addition to `localhost` and its address; others are refused.',
        env: 'SIM_HOST_NAMES',
      }),
    ),
    port: port({ description: 'Its port; 0: any free one.', env: 'SIM_PORT', default: 8095 }),
    auto: flag({
      description: 'A terminal that waits for a card gets its default card, and its PIN, by itself.',
      env: 'SIM_AUTO',
      default: false,
    }),
    autoDelayMs: wholeNumber(0, 60_000, { description: 'After how long, in milliseconds.', default: 400 }),
    presentAheadMs: wholeNumber(0, 3_600_000, {
      description:
        'How long a card is held ready for a terminal that does not wait for one yet, in milliseconds.',
      default: 30_000,
    }),
    terminals: Type.Array(TERMINAL, {
      maxItems: MAX_TERMINALS,
      expected: `a list of at most ${MAX_TERMINALS}`,
      description: 'The simulated terminals.',
      default: [{ id: '1001', deviceType: 'GERTEC_PPC930', serial: 'G0001001' }],
    }),
    proxy: Type.Optional(
      section({
        port: port({
          description: 'Port of the proxy through which the agent reaches the gateway.',
          env: 'SIM_PROXY_PORT',
          default: 0,
        }),
        target: ruledText('host:port of the gateway', (value) => (targetOf(value) ? undefined : {}), {
          description: 'Where it leads.',
        }),
      }),
    ),
    printer: Type.Optional(
      section({
        port: port({
          description: 'Port of a receipt printer that takes ESC/POS over TCP; 0: any free one.',
          env: 'SIM_PRINTER_PORT',
          default: 9100,
        }),
      }),
    ),
    gateway: Type.Optional(
      section({
        url: ruledText('an http or https address', (value) => (isHttpUrl(value) ? undefined : {}), {
          description: 'The gateway, whose acquirer’s record `GET /host/transactions` relays.',
        }),
        token: text('the token of the acquirer’s record', /^\S{0,4096}$/, {
          description: 'Its bearer token.',
          secret: true,
        }),
      }),
    ),
    threeds: section(
      {
        port: port({
          description:
            'Port of directory server and access control server of `tillbridge-sim threeds`; 0: any free one.',
          env: 'SIM_THREEDS_PORT',
          default: 8097,
        }),
        decoupledAfterMs: milliseconds(0, 3_600_000, {
          description: 'After how long the cardholder answers a decoupled authentication, in milliseconds.',
          default: 2_000,
        }),
      },
      { default: {} },
    ),
    acquirerHost: section(
      {
        home: homeSetting(
          'acquirer-host',
          'SIM_ACQUIRER_HOME',
          'Database and files of `tillbridge-sim acquirer-host`; belongs to one process alone.',
        ),
        port: port({
          description: 'Port of the acquirer host for ISO 8583; 0: any free one.',
          env: 'HOST_PORT',
          default: 8096,
        }),
        controlPort: port({
          description:
            'Port of its REST control; 0: any free one. `tillbridge-sim run` relays its rules, faults and record from there.',
          env: 'SIM_ACQUIRER_CONTROL_PORT',
          default: 8099,
        }),
        dialect: oneOf(DIALECT_NAMES, {
          description: 'The dialect of ISO 8583 that it speaks.',
          env: 'SIM_ACQUIRER_DIALECT',
          default: '1987-binary',
        }),
        dialectChanges: Type.Optional(DIALECT_CHANGES),
        keyForm: oneOf(KEY_FORMS, {
          description: 'How it sends keys that gateways ask for: key blocks, or cryptograms.',
          env: 'SIM_ACQUIRER_KEY_FORM',
          default: 'tr31',
        }),
        macMethod: oneOf(MAC_METHODS, {
          description:
            'How authentication codes of messages are made under the zone MAC key. `none`: they have none.',
          env: 'SIM_ACQUIRER_MAC_METHOD',
          default: 'iso9797Algorithm3',
        }),
        macKeySet: Type.Optional(
          text('8 or 10 uppercase hex digits', KEY_SET_FORM, {
            description:
              'Authentication codes of messages by DUKPT: the leading digits of the key serial numbers, ten of TDES or eight of AES; without it under the zone MAC key.',
            env: 'SIM_ACQUIRER_MAC_KEY_SET',
          }),
        ),
        tls: Type.Optional(
          section({
            certificateFile: path({
              description: 'Certificate of the line for ISO 8583, which speaks TLS alone then.',
              env: 'SIM_ACQUIRER_TLS_CERTIFICATE_FILE',
            }),
            keyFile: path({ description: 'Its key.', env: 'SIM_ACQUIRER_TLS_KEY_FILE' }),
            clientAuthorityFile: Type.Optional(
              path({
                description: 'Authority of the gateways’ certificates; without it gateways need none.',
                env: 'SIM_ACQUIRER_TLS_CLIENT_AUTHORITY_FILE',
              }),
            ),
          }),
        ),
      },
      { default: {} },
    ),
    keyFile: Type.Optional(
      path({
        description:
          'Keys of terminals, cards, issuer and acquirer that `tillbridge-sim keys` has made; without it the published ones.',
        env: 'SIM_KEY_FILE',
      }),
    ),
    log: logSection('SIM_LOG', 'stderr'),
  },
  { variables: homeVariable('simulator', 'SIM_HOME') },
);
