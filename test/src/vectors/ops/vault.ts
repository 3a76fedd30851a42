import { toHex } from '@tillbridge/wire/bytes.js';
import { gcmOpen, gcmSeal } from '@tillbridge/wire/crypto/ciphers/gcm.js';
import type { TopicOps } from './inputs.js';

/** AES-256-GCM of the vault. */
export const VAULT_OPS: TopicOps = {
  encrypt: (inputs) => {
    const sealed = gcmSeal(inputs.hex('key'), inputs.hex('iv'), inputs.hex('aad'), inputs.hex('plaintext'));
    return { ciphertext: toHex(sealed.ciphertext), tag: toHex(sealed.tag) };
  },
  decrypt: (inputs) => {
    const sealed = { ciphertext: inputs.hex('ciphertext'), tag: inputs.hex('tag') };
    return { plaintext: toHex(gcmOpen(inputs.hex('key'), inputs.hex('iv'), inputs.hex('aad'), sealed)) };
  },
};
