import { cardCatalogue } from '@tillbridge/hardware-sim/cards/catalogue.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { DEVELOPMENT_KEYS } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { byteSecret, digitSecret, type Secret } from '../leaks/secret.js';
import type { Stack } from '../stack/stack.js';

/** Shorter PINs would be found by chance. */
const LONG_PIN = /^\d{12}$/;

/** Everything of a development system that no log, journal, table or trace may show: PANs, PINs of twelve digits, keys, tokens. */
export function developmentSecrets(stack: Stack): Secret[] {
  const pans = cardCatalogue().map(({ name, account }) => digitSecret(`PAN of ${name}`, account.pan));
  const pins = cardCatalogue().flatMap(({ name, pin }) =>
    pin && LONG_PIN.test(pin) ? [digitSecret(`PIN of ${name}`, pin)] : [],
  );
  const keys = Object.values(DEVELOPMENT_KEYS).map(({ name, hex }) =>
    byteSecret(`key ${name}`, fromHex(hex)),
  );
  const tokens = [
    byteSecret('access token', Buffer.from(stack.dev.merchant.accessToken)),
    byteSecret('till token', Buffer.from(stack.dev.agent.token)),
  ];
  return [...pans, ...pins, ...keys, ...tokens];
}

/** What may hold secrets: the simulator plays the cards and the acquirer; the others are key and credential files of mode 0600. */
export const EXEMPT_FILES: readonly string[] = [
  'simulator/',
  'acquirer-host/keys.json',
  'dev.json',
  'agent/till-token',
  'agent/agent-key.pem',
  'agent/blob.key',
  'gateway/credentials.json',
];
