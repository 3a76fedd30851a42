import { equalConstantTime, wipe } from '@tillbridge/protocol/bytes.js';
import { type KeyInfo, type KeyStore, requireKey } from '../keys/key-store.js';
import { type GenerateMacRequest, SecurityModuleError, type VerifyMacRequest } from './security-module.js';

/** Most bytes of one message to authenticate; the largest of the links' messages is far below. */
export const MAX_MAC_DATA_BYTES = 65_536;
/** Fewest bytes of a MAC that prove anything (ISO 16609: 32 bits). */
export const MIN_MAC_BYTES = 4;

/**
 * The MAC of a message under the key shared with a partner.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function generateMac(keys: KeyStore, request: GenerateMacRequest): Buffer {
  return macUnder(keys, requireKey(keys, 'mac', request.partner), request);
}

/**
 * Whether a message has the MAC that the partner says, under the key shared with the partner or under one that it took the place of. Constant time
 * in the MAC's bytes.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function verifyMac(keys: KeyStore, request: VerifyMacRequest): boolean {
  const { mac } = request;
  const current = requireKey(keys, 'mac', request.partner);
  const blockBytes = current.algorithm.startsWith('aes') ? 16 : 8;
  if (mac.length < MIN_MAC_BYTES || mac.length > blockBytes)
    throw new SecurityModuleError(
      'bad-data',
      `the MAC has ${mac.length} bytes, expected ${MIN_MAC_BYTES} to ${blockBytes}`,
    );
  let isRight = false;
  for (const info of [current, ...keys.predecessors(current)]) {
    const whole = macUnder(keys, info, request);
    isRight = equalConstantTime(whole.subarray(0, mac.length), mac) || isRight;
    wipe(whole);
  }
  return isRight;
}

function macUnder(keys: KeyStore, info: KeyInfo, request: GenerateMacRequest): Buffer {
  const { data, padding = 'iso9797Method1' } = request;
  const method = request.method ?? (info.algorithm === 'tdes2' ? 'iso9797Algorithm3' : 'cmac');
  if (data.length > MAX_MAC_DATA_BYTES)
    throw new SecurityModuleError('bad-data', `data has ${data.length} bytes, at most ${MAX_MAC_DATA_BYTES}`);
  if (method === 'iso9797Algorithm3' && info.algorithm !== 'tdes2')
    throw new SecurityModuleError(
      'bad-data',
      `method ${method} needs a tdes2 key, ${info.id} is ${info.algorithm}`,
    );
  return keys.operate(info, (key) =>
    method === 'iso9797Algorithm3' ? key.retailMac(data, padding) : key.cmac(data),
  );
}
