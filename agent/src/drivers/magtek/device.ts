import {
  MASK_CHARACTER,
  OPEN_LEADING,
  OPEN_TRAILING,
} from '@tillbridge/wire/terminals/magtek/masked-track.js';
import {
  decodeProperty,
  encodeProperty,
  FIRST_KEY_SLOT,
  KEY_SLOTS,
  MANUAL_ENTRY_PAGES,
  type PropertyName,
} from '@tillbridge/wire/terminals/magtek/properties.js';
import { known } from '../core/card-data.js';
import type { KeyCondition, TerminalCondition, TerminalIdentity } from '../core/driver.js';
import { plainText, tagList } from '../core/emv-data.js';
import { andThen, attempt, failed, inOrder, isFailed, problemOf, type Result } from '../core/result.js';
import type { MmsLink } from './link.js';
import { hintOf, parametersOf } from './replies.js';

/** How the device waits for the issuer; it requests again after every wait. */
export interface IssuerPatience {
  readonly seconds: number;
  readonly retries: number;
}

const MAKER = 'MagTek';
const SERIAL_DIGITS = 7;
const ON = Buffer.of(0x01);
const OFF = Buffer.of(0x00);
const TELL_ONCE = Buffer.of(0xff);
const RESET_WARNING_MINUTES = Buffer.of(0x03);

/**
 * Tags that never come in clear: all that hold the account, a track or a name, and the containers of magstripe (F4) and PIN
 * (F5). All the others come in clear, so that the cryptogram and its data can be sent on without the key.
 */
const ENCIPHERED_TAGS = ['56', '57', '5A', '5F20', '9F0B', '9F1F', '9F20', '9F6B', 'F4', 'F5'] as const;
/**
 * Tags of a magstripe that come in clear. That a device gives expiry (5F24) and service code (5F30) of a magstripe as tags is
 * from public sources incomplete; the default list of its requests names both.
 */
const MAGSTRIPE_CLEAR_TAGS = [
  '9A',
  '9C',
  '5F24',
  '5F2A',
  '5F30',
  '9F02',
  '9F03',
  '9F1E',
  '9F39',
  '9F41',
] as const;

/** The number must be right; the device requests expiry and the code on the card, too. Devices without a screen have neither. */
const KEYED_IN_SETTINGS: readonly (readonly [PropertyName, Buffer])[] = [
  ['checkKeyedIn', ON],
  ['manualEntryPages', Buffer.of(MANUAL_ENTRY_PAGES.expiryAndCode)],
];

/** Whose screen takes a card number (the manual's table of features): the maker's models Pro and PED. */
const SCREEN_MODELS = /\b(Pro|PED)\b/i;

/** A device that is free and set up. */
export interface OpenedDevice {
  readonly identity: TerminalIdentity;
  /** It has a screen that a card number can be keyed into. */
  readonly keyedIn: boolean;
  /** Of its PIN blocks: format 4 where an AES key is mapped for PINs, else 0, which the gateway's acquirers take from a TDES key. */
  readonly pinFormat: 0 | 4;
}

/** Settings of every device. */
function settings(
  { seconds, retries }: IssuerPatience,
  keyedIn: boolean,
): readonly (readonly [PropertyName, Buffer])[] {
  return [
    ...(keyedIn ? KEYED_IN_SETTINGS : []),
    ['reportAllTags', ON],
    ['encryptedTags', tagList(ENCIPHERED_TAGS)],
    ['magstripeClearTags', tagList(MAGSTRIPE_CLEAR_TAGS)],
    ['maskCharacter', Buffer.from(MASK_CHARACTER, 'latin1')],
    ['panLeading', Buffer.of(OPEN_LEADING)],
    ['panTrailing', Buffer.of(OPEN_TRAILING)],
    ['maskCheckDigit', OFF],
    ['deviceFallback', ON],
    ['resetNotification', TELL_ONCE],
    ['resetWarning', RESET_WARNING_MINUTES],
    ['arpcTimeout', Buffer.of(seconds)],
    ['arpcRetries', Buffer.of(retries)],
  ];
}

/** Reads a property. */
export async function getProperty(link: MmsLink, name: PropertyName): Promise<Result<Buffer>> {
  const parameters = parametersOf('getProperty', await link.request('getProperty', encodeProperty(name)));
  const property = andThen(parameters, (bytes) => attempt('GET PROPERTY', () => decodeProperty(bytes)));
  return andThen(property, ({ name: answered, value }) =>
    answered === name ? value : failed('protocol-error', `GET PROPERTY: requested ${name}, got another`),
  );
}

/** Sets a property unless it has that value: writing wears the memory of the device. */
async function ensureProperty(link: MmsLink, name: PropertyName, value: Buffer): Promise<Result<undefined>> {
  const now = await getProperty(link, name);
  if (isFailed(now)) return now;
  if (now.equals(value)) return undefined;
  return problemOf(
    parametersOf('setProperty', await link.request('setProperty', encodeProperty(name, value))),
  );
}

async function identify(link: MmsLink): Promise<Result<TerminalIdentity>> {
  const read = await inOrder({
    model: () => getProperty(link, 'modelName'),
    firmware: () => getProperty(link, 'firmwareVersion'),
    serial: () => getProperty(link, 'serialNumber'),
  });
  return andThen(read, ({ model, firmware, serial }) => ({
    maker: MAKER,
    model: plainText(model),
    firmware: plainText(firmware),
    serial: serial.toString('hex').toUpperCase().slice(0, SERIAL_DIGITS),
  }));
}

/** Ends the running transaction, if there is one. */
export async function stopTransaction(link: MmsLink): Promise<Result<undefined>> {
  const reply = await link.request('cancelTransaction');
  return hintOf(reply) === 'no-transaction' ? undefined : problemOf(parametersOf('cancelTransaction', reply));
}

/** Frees the device, identifies it and configures it. */
export async function openDevice(link: MmsLink, patience: IssuerPatience): Promise<Result<OpenedDevice>> {
  link.reset();
  const stuck = await stopTransaction(link);
  if (stuck) return stuck;
  const identity = await identify(link);
  if (isFailed(identity)) return identity;
  const keyedIn = SCREEN_MODELS.test(identity.model);
  for (const [name, value] of settings(patience, keyedIn)) {
    const refused = await ensureProperty(link, name, value);
    if (refused) return refused;
  }
  // Only devices with a screen have the mapping: the others ask for no PIN.
  const aes = keyedIn ? await getProperty(link, 'pinAesKeyMapping') : NOT_MAPPED;
  if (isFailed(aes)) return aes;
  return { identity, keyedIn, pinFormat: isMapped(aes) ? 4 : 0 };
}

/** Keys, tampering and battery. The device gives no time, and of a key only whether it is loaded. */
export async function readCondition(
  link: MmsLink,
  { identity, pinFormat }: OpenedDevice,
): Promise<Result<TerminalCondition>> {
  const read = await inOrder({
    tampered: () => getProperty(link, 'tampered'),
    keys: () => getProperty(link, 'transactionKeys'),
    pin: () => getProperty(link, pinFormat === 4 ? 'pinAesKeyMapping' : 'pinKeyMapping'),
    account: () => getProperty(link, 'accountKeyMapping'),
    battery: () => getProperty(link, 'batteryCharge'),
  });
  return andThen(read, ({ tampered, keys, pin, account, battery }) => ({
    kind: 'condition',
    identity,
    keys: { data: keyCondition(keys, account), pin: keyCondition(keys, pin) },
    tampered: tampered[0] !== 0,
    ...known({ batteryPercent: battery[0] }),
  }));
}

const NOT_MAPPED = Buffer.alloc(3);

/** Whether a purpose is mapped to a slot at all. */
function isMapped(mapping: Buffer): boolean {
  return mapping.length >= 2 && mapping.readUInt16BE() !== 0;
}

/** Whether the slot that a purpose is mapped to holds a key. */
function keyCondition(keys: Buffer, mapping: Buffer): KeyCondition {
  if (keys.length !== 4 || mapping.length < 2) return 'unknown';
  const slot = mapping.readUInt16BE() - FIRST_KEY_SLOT;
  if (slot < 0 || slot >= KEY_SLOTS) return 'missing';
  return ((keys.readUInt32BE() >>> slot) & 1) === 1 ? 'loaded' : 'missing';
}
