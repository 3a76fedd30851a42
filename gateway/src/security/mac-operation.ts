import { aesCmac, retailMac, tdesCmac } from '@tillbridge/protocol/crypto/mac.js';
import { isTdes } from './key-rules.js';
import { type KeyStore, requireKey } from './key-store.js';
import { type GenerateMacRequest, SecurityModuleError } from './security-module.js';

/** Most bytes of one message to authenticate; the largest of the links' messages is far below. */
export const MAX_MAC_DATA_BYTES = 65_536;

/**
 * The MAC of a message under the key shared with a partner.
 * @throws SecurityModuleError bad-data; KeyStoreError and CryptoError, which the module translates
 */
export function generateMac(keys: KeyStore, request: GenerateMacRequest): Buffer {
  const { partner, method, data, padding = 'iso9797Method1' } = request;
  if (data.length > MAX_MAC_DATA_BYTES)
    throw new SecurityModuleError('bad-data', `data has ${data.length} bytes, at most ${MAX_MAC_DATA_BYTES}`);
  const info = requireKey(keys, 'mac', partner);
  if (method === 'iso9797Algorithm3' && info.algorithm !== 'tdes2')
    throw new SecurityModuleError(
      'bad-data',
      `method ${method} needs a tdes2 key, ${info.id} is ${info.algorithm}`,
    );
  return keys.use(info, (key) => {
    if (method === 'iso9797Algorithm3') return retailMac(key, data, padding);
    return isTdes(info.algorithm) ? tdesCmac(key, data) : aesCmac(key, data);
  });
}
