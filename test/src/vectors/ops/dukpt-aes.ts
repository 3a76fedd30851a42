import { createHmac } from 'node:crypto';
import { toHex } from '@tillbridge/wire/bytes.js';
import { aesEncryptCbc } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { aesCmac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import {
  type AesKeyType,
  type AesKeyUsage,
  advanceAesKsn,
  aesKeyType,
  aesWorkingKey,
  type DerivedKeyType,
  deriveAesInitialKey,
  deriveAesTransactionKey,
  deriveAesUpdateKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { encipherPinBlock4 } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import type { Inputs, TopicOps } from './inputs.js';

interface Derived {
  readonly ksn: Buffer;
  readonly ik: Buffer;
  readonly derivationKey: Buffer;
}

function derived(inputs: Inputs): Derived {
  const ksn = inputs.hex('ksn');
  const ik = deriveAesInitialKey(inputs.hex('bdk'), ksn);
  return { ksn, ik, derivationKey: deriveAesTransactionKey(ik, ksn) };
}

/** Fields of working keys by usage and algorithm. */
const KEY_FIELDS: readonly (readonly [field: string, usage: AesKeyUsage, type: DerivedKeyType])[] = [
  ['pinKeyAes128', 'pin', 'aes128'],
  ['pinKeyAes256', 'pin', 'aes256'],
  ['macGenerationKeyAes128', 'macGeneration', 'aes128'],
  ['macGenerationKeyAes256', 'macGeneration', 'aes256'],
  ['dataEncryptKeyAes128', 'dataEncrypt', 'aes128'],
  ['dataEncryptKeyAes256', 'dataEncrypt', 'aes256'],
];

function keyFields({ ksn, ik, derivationKey }: Derived): Readonly<Record<string, unknown>> {
  const keys = KEY_FIELDS.map(([field, usage, type]) => [
    field,
    toHex(aesWorkingKey(derivationKey, ksn, usage, type)),
  ]);
  return { ik: toHex(ik), derivationKey: toHex(derivationKey), ...Object.fromEntries(keys) };
}

function encryptPin(inputs: Inputs): Readonly<Record<string, unknown>> {
  const keys = derived(inputs);
  const pinKey = aesWorkingKey(keys.derivationKey, keys.ksn, 'pin', inputs.text<AesKeyType>('workingKey'));
  const block = encipherPinBlock4(pinKey, inputs.text('pin'), inputs.text('pan'), inputs.hex('randomFill'));
  return { ...keyFields(keys), encryptedPinBlock: toHex(block) };
}

function transaction(inputs: Inputs): Readonly<Record<string, unknown>> {
  const { ksn, ik, derivationKey } = derived(inputs);
  const type = inputs.text<AesKeyType>('workingKey');
  const hmacType = inputs.optionalText<DerivedKeyType>('hmacKey') ?? 'hmac128';
  const key = (usage: AesKeyUsage, of: DerivedKeyType) => aesWorkingKey(derivationKey, ksn, usage, of);
  const macData = Buffer.from(inputs.optionalText('macDataAscii') ?? '', 'latin1');
  const cmac = (usage: AesKeyUsage) => toHex(aesCmac(key(usage, type), macData));
  const hmac = (usage: AesKeyUsage) =>
    createHmac('sha256', key(usage, hmacType)).update(macData).digest('hex').toUpperCase();
  const enciphered = (usage: AesKeyUsage) =>
    toHex(aesEncryptCbc(key(usage, type), inputs.hex('iv'), inputs.hex('dataHex')));
  return {
    ik: toHex(ik),
    derivationKey: toHex(derivationKey),
    updateKey: toHex(deriveAesUpdateKey(ik, ksn, aesKeyType(inputs.hex('bdk')))),
    dataRequestKey: toHex(key('dataEncrypt', type)),
    dataResponseKey: toHex(key('dataDecrypt', type)),
    cmacRequest: cmac('macGeneration'),
    cmacResponse: cmac('macVerification'),
    hmacSha256Request: hmac('macGeneration'),
    hmacSha256Response: hmac('macVerification'),
    encryptedRequest: enciphered('dataEncrypt'),
    encryptedResponse: enciphered('dataDecrypt'),
  };
}

function deriveUpdateKeys(inputs: Inputs): Readonly<Record<string, unknown>> {
  const update = (type: DerivedKeyType) =>
    toHex(deriveAesUpdateKey(inputs.hex('ik'), inputs.hex('initialKeyId'), type));
  return {
    updateKeyAes128: update('aes128'),
    updateKeyAes192: update('aes192'),
    updateKeyAes256: update('aes256'),
    updateKeyTdes2: update('tdes2'),
    updateKeyTdes3: update('tdes3'),
  };
}

/** ANSI X9.24-3. */
export const DUKPT_AES_OPS: TopicOps = {
  deriveKeys: (inputs) => keyFields(derived(inputs)),
  encryptPin,
  transaction,
  deriveUpdateKeys,
  advanceKsn: (inputs) => ({ nextKsn: toHex(advanceAesKsn(inputs.hex('ksn'))) }),
};
