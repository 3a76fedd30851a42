import { host, hostNames, isLoopbackHost, origins, port } from '@tillbridge/platform/config/net-setting.js';
import { milliseconds } from '@tillbridge/platform/config/number-setting.js';
import {
  homeSetting,
  homeVariable,
  logSectionWithSecurity,
  modeSetting,
} from '@tillbridge/platform/config/program-settings.js';
import { flag, path } from '@tillbridge/platform/config/setting.js';
import { oneOf, ruledText, section, text } from '@tillbridge/platform/schema/fields.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { isTimeZone } from '@tillbridge/wire/text/local-time.js';
import { DEFAULT_POLICY } from '../sale/machine/state/policy.js';
import { LANGUAGES } from '../sale/receipts/store.js';
import { JOURNAL } from './journal.js';
import { NEXO } from './nexo.js';
import { amountsByCurrency, OFFLINE } from './offline.js';
import { REPLICA } from './replica.js';
import { isAddress } from './store.js';
import { TERMINALS } from './terminals.js';
import { UPDATE } from './update.js';
import { ZVT } from './zvt.js';

const digits = (count: number, what: string, description: string, preset: string) =>
  text(`${what}: ${count} digits in quotes`, new RegExp(`^\\d{${count}}$`), { description, default: preset });

/** Presets: a store of a development system, in Germany. */
const MERCHANT = section(
  {
    country: digits(3, 'a country of ISO 3166-1', 'Country of the store (tag 9F1A).', '276'),
    currency: ruledText(
      'an ISO 4217 code such as EUR',
      (value) => (typeof value === 'string' && currencyNumber(value) !== undefined ? undefined : {}),
      { description: 'Currency of the store.', default: 'EUR' },
    ),
    merchantCategory: digits(4, 'a category code', 'Merchant category code (tag 9F15).', '5999'),
    merchantId: text('1 to 15 letters or digits', /^[0-9A-Za-z]{1,15}$/, {
      description: 'Merchant identifier (tag 9F16).',
      default: 'TILLBRIDGE',
    }),
  },
  { default: {} },
);

/** Zone and language have presets, so that nothing guesses from the machine. */
const STORE = section(
  {
    name: Type.Optional(
      text('1 to 40 printable characters', /^[^\p{C}]{1,40}$/u, { description: 'Name on receipts.' }),
    ),
    address: Type.Optional(
      ruledText(
        'up to 4 lines of 1 to 40 printable characters, parted by semicolons',
        (value) => (typeof value === 'string' && isAddress(value) ? undefined : {}),
        { description: 'Address on receipts: lines parted by semicolons.' },
      ),
    ),
    timeZone: ruledText(
      'a time zone of the IANA database such as Europe/Berlin',
      (value) => (typeof value === 'string' && isTimeZone(value) ? undefined : {}),
      {
        description: 'Time zone of the store: of receipts, card transactions, and the days of totals.',
        env: 'AGENT_TIME_ZONE',
        default: 'UTC',
      },
    ),
    language: oneOf(LANGUAGES, {
      description: 'Language of receipts.',
      env: 'AGENT_LANGUAGE',
      default: 'en',
    }),
  },
  { default: {} },
);

/** The bridge of a gateway on this machine. */
export const DEFAULT_BRIDGE_URL = 'ws://127.0.0.1:8080/bridge';

/** The configuration of `tillbridge-agent`. */
export const AGENT_SETTINGS = section(
  {
    home: homeSetting('agent', 'AGENT_HOME', 'All data of the agent; belongs to one process alone.'),
    host: host({
      description: 'Address for tills; beyond loopback `tls` is needed.',
      env: 'AGENT_HOST',
      default: '127.0.0.1',
    }),
    port: port({ description: 'Port for tills; 0: any free one.', env: 'AGENT_PORT', default: 8090 }),
    hostNames: Type.Optional(
      hostNames({
        description:
          'Names under which tills call, in addition to `localhost` and the address; requests that name another host are refused.',
        env: 'AGENT_HOST_NAMES',
      }),
    ),
    tillOrigins: Type.Optional(
      origins({
        description:
          'Origins of tills that are web pages of another site, such as `https://till.example`; pages of all others are refused.',
        env: 'AGENT_TILL_ORIGINS',
      }),
    ),
    tls: Type.Optional(
      section({
        certificateFile: path({
          description: 'Certificate for tills, PEM, the chain after it.',
          env: 'AGENT_TLS_CERTIFICATE_FILE',
        }),
        keyFile: path({ description: 'Its key, PEM.', env: 'AGENT_TLS_KEY_FILE' }),
      }),
    ),
    tokenFile: Type.Optional(
      path({
        description: 'File of mode 0600 with the bearer token of the tills.',
        env: 'AGENT_TOKEN_FILE',
        fallback: '`till-token` in the home, made at the first start',
      }),
    ),
    gateway: section(
      {
        bridgeUrl: Type.Optional(
          ruledText(
            'a wss: address, or ws: on loopback, such as wss://gateway.example/bridge',
            bridgeUrlFault,
            {
              description:
                'The gateway’s bridge. Plain `ws:` carries card data in clear and stays on this machine.',
              env: 'GATEWAY_BRIDGE_URL',
              fallback: `that of the enrolment code, else \`${DEFAULT_BRIDGE_URL}\``,
            },
          ),
        ),
      },
      { default: {} },
    ),
    log: logSectionWithSecurity('AGENT_LOG', '`agent.log` in the home', 'AGENT_SECURITY_LOG'),
    offline: Type.Optional(OFFLINE),
    unlinkedRefunds: flag({
      description:
        'Refunds to a card without the sale that is refunded, where the gateway’s policy of the store allows them too.',
      default: DEFAULT_POLICY.unlinkedRefunds,
    }),
    ceilings: Type.Optional(
      amountsByCurrency({
        description: 'Most of one payment; a currency that is missing has no ceiling here.',
        fallback: 'none',
      }),
    ),
    answerTimeoutMs: milliseconds(100, 600_000, {
      description: 'How long the gateway may take to answer.',
      default: DEFAULT_POLICY.answerTimeoutMs,
    }),
    cardTimeoutMs: milliseconds(100, 600_000, {
      description: 'How long a terminal waits for a card.',
      default: DEFAULT_POLICY.cardTimeoutMs,
    }),
    linkWaitMs: milliseconds(0, 60_000, {
      description: 'How long a sale that needs the gateway waits for the link before its card is read.',
      default: DEFAULT_POLICY.linkWaitMs,
    }),
    overdueAfterMs: milliseconds(60_000, 7 * 86_400_000, {
      description: 'How long a sale may stay unknown or reversing before staff is alerted.',
      default: DEFAULT_POLICY.overdueAfterMs,
    }),
    partialApproval: oneOf(['accept', 'reverse'], {
      description:
        'An approval for less than was requested: take it and report it to the till, or reverse it.',
      env: 'AGENT_PARTIAL_APPROVAL',
      default: DEFAULT_POLICY.partialApproval,
    }),
    terminals: TERMINALS,
    merchant: MERCHANT,
    store: STORE,
    journal: JOURNAL,
    replica: Type.Optional(REPLICA),
    nexo: Type.Optional(NEXO),
    zvt: Type.Optional(ZVT),
    update: UPDATE,
    mode: modeSetting('AGENT_MODE', '`live`: real terminals alone, and no key of test cards.'),
    capkFile: Type.Optional(
      path({
        description:
          'The acquirer’s certification authority keys: a JSON list of `{rid, index, modulus, exponent, sha1}` in hex. Needed in live mode by terminals that keep EMV tables.',
        env: 'AGENT_CAPK_FILE',
        fallback: 'those of test cards',
      }),
    ),
  },
  { variables: homeVariable('agent', 'AGENT_HOME') },
);

function bridgeUrlFault(value: unknown): RuleFault | undefined {
  if (typeof value !== 'string') return {};
  if (/^https?:/.test(value)) return { likely: value.startsWith('https') ? 'wss:' : 'ws:' };
  if (!URL.canParse(value)) return {};
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (username || password || hash) return {};
  if (protocol === 'wss:' || (protocol === 'ws:' && isLoopbackHost(hostname))) return undefined;
  return protocol === 'ws:'
    ? { problem: 'must be a wss: address: ws: to another machine would carry card data in clear: use wss:' }
    : {};
}
