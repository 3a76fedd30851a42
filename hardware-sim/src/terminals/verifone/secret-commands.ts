import { DES_BLOCK_BYTES } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { compressedNumeric } from '@tillbridge/wire/emv/compressed-numeric.js';
import { isSensitiveTag } from '@tillbridge/wire/emv/tags.js';
import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { padPkcs7 } from '@tillbridge/wire/terminals/verifone/account-data.js';
import { STATUSES } from '@tillbridge/wire/terminals/verifone/statuses.js';
import {
  BYPASS_BY_ENTER,
  HOST_PROFILES,
  PIN_FORMAT_0,
  TAGS,
} from '@tillbridge/wire/terminals/verifone/tags.js';
import type { CardRead } from '../core/payment-core.js';
import type { Handler } from './device-context.js';
import { dataToEncipher } from './encrypted-data.js';
import { StatusError } from './status-error.js';

const IV = Buffer.alloc(DES_BLOCK_BYTES);
const TAG_BYTES = 4;
/** PIN entry without a stated time, and the longest (SDI guide, GET PIN). */
const DEFAULT_PIN_SECONDS = 30;
const MAX_PIN_SECONDS = 300;
const BYPASS_KEYS = BYPASS_BY_ENTER | 0x02;

/** CRYPTO OPEN: a host profile by its name. */
export const cryptoOpen: Handler = ({ profiles, dataKey }, { objects }) => {
  const name = Buffer.from(findTlv(objects, TAGS.hostName) ?? []).toString('latin1');
  const known: readonly string[] = Object.values(HOST_PROFILES);
  if (!known.includes(name)) throw new StatusError('execution');
  if (dataKey.condition === 'erased') throw new StatusError('noKeys');
  return { objects: [tlv(TAGS.cryptoHandle, profiles.open(name))] };
};

/** CRYPTO CLOSE. */
export const cryptoClose: Handler = ({ profiles }, { objects }) => {
  profiles.close(findTlv(objects, TAGS.cryptoHandle));
  return {};
};

/** GET ENC DATA: the account as BER-TLV in the requested order, and data of the host, under the next data key. */
export const getEncData: Handler = ({ profiles, store, dataKey }, { objects }) => {
  profiles.require(findTlv(objects, TAGS.cryptoHandle), HOST_PROFILES.accountData);
  const clear = dataToEncipher(objects, store.card?.account);
  const { data, ksn } = dataKey.encipherData(padPkcs7(clear, DES_BLOCK_BYTES), IV);
  return {
    objects: [tlv(TAGS.encryptedData, data), tlv(TAGS.encryptionKsn, ksn), tlv(TAGS.initialVector, IV)],
  };
};

/** FETCH TRX TAGS: objects of the card that are no secret; what is not there is left out. */
export const fetchTags: Handler = ({ store, core }, { objects }) => {
  const list = findTlv(objects, TAGS.tagList);
  if (!list || list.length % TAG_BYTES !== 0) throw new StatusError('tagLength');
  const { card } = store;
  if (!card) throw new StatusError('execution');
  const found: TlvNode[] = [];
  for (let at = 0; at < list.length; at += TAG_BYTES) {
    const tag = Buffer.from(list.subarray(at, at + TAG_BYTES))
      .toString('hex')
      .toUpperCase()
      .replace(/^(00)+/, '');
    const value = isSensitiveTag(tag) ? undefined : (core.data?.get(tag) ?? cardValue(card, tag));
    if (value) found.push(tlv(tag, value));
  }
  return { objects: found };
};

/** An object of a card without an EMV transaction: expiry, service code, and those of a tap in magstripe mode. */
function cardValue(card: CardRead, tag: string): Uint8Array | undefined {
  if ('data' in card && card.data.get(tag)) return card.data.get(tag);
  const { expiry, serviceCode } = card.account;
  if (tag === '5F24' && expiry !== undefined) return compressedNumeric(expiry);
  return tag === '5F30' && serviceCode !== undefined ? Buffer.from(`0${serviceCode}`, 'hex') : undefined;
}

/** CLEAR DATA STORE. */
export const clearDataStore: Handler = ({ store }) => {
  store.clear();
  return {};
};

/** GET PIN: the PIN of the card that was read last, for its issuer. */
export const getPin: Handler = async ({ core, store, ui }, { objects, signal }) => {
  if (!store.card) throw new StatusError('execution');
  const given = findTlv(objects, TAGS.timeoutSeconds);
  const seconds = given
    ? Number.parseInt(Buffer.from(given).toString('hex') || '0', 16)
    : DEFAULT_PIN_SECONDS;
  if (seconds > MAX_PIN_SECONDS) throw new StatusError('parameter');
  const allowBypass = ((findTlv(objects, TAGS.pinBypass)?.[0] ?? 0) & BYPASS_KEYS) !== 0;
  const prompt = { lines: ['ENTER PIN'], timeoutMs: seconds * 1_000, allowBypass };
  const entry = await core.capturePin(prompt, signal);
  ui.setState('online');
  if (entry === 'bypass') return { sw: STATUSES.pinBypassed.code };
  store.pin = entry;
  return {};
};

/** GET ENCRYPTED PIN: the block of the PIN that was entered last; format 0 alone is simulated. */
export const getEncPin: Handler = ({ profiles, store }, { objects }) => {
  profiles.require(findTlv(objects, TAGS.cryptoHandle), HOST_PROFILES.pin);
  if (findTlv(objects, TAGS.pinBlockFormat)?.[0] !== PIN_FORMAT_0) throw new StatusError('parameter');
  const { pin } = store;
  if (!pin) throw new StatusError('logic');
  return { objects: [tlv(TAGS.pinBlock, pin.data), tlv(TAGS.pinKsn, pin.ksn)] };
};
