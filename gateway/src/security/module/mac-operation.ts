import { equalConstantTime, wipe } from '@tillbridge/wire/bytes.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { type KeyAlgorithm, type KeyInfo, type KeyStore, requireKey } from '../keys/key-store.js';
import { type DukptKeyRing, isAesKsn } from './dukpt-keys.js';
import {
  type DukptMac,
  type GenerateMacRequest,
  type MacMethod,
  SecurityModuleError,
  type VerifyMacRequest,
} from './security-module.js';

const TDES_BLOCK_BYTES = 8;
const AES_BLOCK_BYTES = 16;

/** Where the keys of MACs are. */
interface MacDeps {
  readonly keys: KeyStore;
  readonly dukpt: DukptKeyRing;
}

/** Most bytes of one message to authenticate; the largest of the links' messages is far below. */
const MAX_MAC_DATA_BYTES = 65_536;
/** Fewest bytes of a MAC that prove anything (ISO 16609: 32 bits). */
export const MIN_MAC_BYTES = 4;

/**
 * The MAC of a message under the key shared with a partner.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function generateMac({ keys, dukpt }: MacDeps, request: GenerateMacRequest): Buffer {
  if (request.dukpt) return dukptMac(dukpt, request.dukpt, request);
  return macUnder(keys, requireKey(keys, 'mac', request.partner), request);
}

/**
 * Whether a message has the MAC that the partner sent, under the key shared with the partner or under one that it took the place of. Constant time
 * in the MAC's bytes.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function verifyMac({ keys, dukpt }: MacDeps, request: VerifyMacRequest): boolean {
  const { mac } = request;
  if (request.dukpt) {
    requireLength(mac, isAesKsn(request.dukpt.ksn) ? AES_BLOCK_BYTES : TDES_BLOCK_BYTES);
    return isBeginOf(dukptMac(dukpt, request.dukpt, request), mac);
  }
  const current = requireKey(keys, 'mac', request.partner);
  requireLength(mac, current.algorithm.startsWith('aes') ? AES_BLOCK_BYTES : TDES_BLOCK_BYTES);
  let isRight = false;
  for (const info of [current, ...keys.predecessors(current)])
    isRight = isBeginOf(macUnder(keys, info, request), mac) || isRight;
  return isRight;
}

function requireLength(mac: Uint8Array, blockBytes: number): void {
  if (mac.length >= MIN_MAC_BYTES && mac.length <= blockBytes) return;
  throw new SecurityModuleError(
    'bad-data',
    `the MAC has ${mac.length} bytes, expected ${MIN_MAC_BYTES} to ${blockBytes}`,
  );
}

/** Whether a MAC is the begin of the whole one, which is wiped; in constant time. */
function isBeginOf(whole: Buffer, mac: Uint8Array): boolean {
  const isRight = equalConstantTime(whole.subarray(0, mac.length), mac);
  wipe(whole);
  return isRight;
}

function dukptMac(
  dukpt: DukptKeyRing,
  { ksn, direction }: DukptMac,
  { data, padding = 'iso9797Method1' }: GenerateMacRequest,
): Buffer {
  requireSize(data);
  const isRequest = direction === 'request';
  if (isAesKsn(ksn)) {
    // Both sides see the message from the one that began: it generates its request, and verifies the answer.
    const kind = { usage: isRequest ? 'macGeneration' : 'macVerification', type: 'likeBaseKey' } as const;
    return dukpt.withAesKey('bdk-mac', ksn, kind, (cipher) => cipher.cmac(data));
  }
  const kind = isRequest ? 'macRequest' : 'macResponse';
  return dukpt.withTdesKey('bdk-mac', ksn, kind, (key) => retailMac(key, data, padding));
}

/** Algorithms of the keys of a method; any where it is missing. */
export const MAC_KEYS: Readonly<Partial<Record<MacMethod, readonly KeyAlgorithm[]>>> = {
  iso9797Algorithm1: ['tdes2', 'tdes3'],
  iso9797Algorithm3: ['tdes2'],
};

function requireSize(data: Uint8Array): void {
  if (data.length > MAX_MAC_DATA_BYTES)
    throw new SecurityModuleError('bad-data', `data has ${data.length} bytes, at most ${MAX_MAC_DATA_BYTES}`);
}

function macUnder(keys: KeyStore, info: KeyInfo, request: GenerateMacRequest): Buffer {
  const { data, padding = 'iso9797Method1' } = request;
  const method = request.method ?? (info.algorithm === 'tdes2' ? 'iso9797Algorithm3' : 'cmac');
  requireSize(data);
  const { [method]: algorithms } = MAC_KEYS;
  if (algorithms && !algorithms.includes(info.algorithm))
    throw new SecurityModuleError(
      'bad-data',
      `method ${method} needs a ${algorithms.join(' or ')} key, ${info.id} is ${info.algorithm}`,
    );
  return keys.operate(info, (key) => {
    switch (method) {
      case 'iso9797Algorithm1':
        return key.cbcMac(data, padding);
      case 'iso9797Algorithm3':
        return key.retailMac(data, padding);
      case 'cmac':
        return key.cmac(data);
    }
  });
}
