import { hash } from 'node:crypto';
import { identityKeyOf, isSignedBy } from '@tillbridge/wire/bridge/identity-key.js';
import type { ProofCrypto } from '@tillbridge/wire/proof/verify-proof.js';

/** The cryptography of Node.js for proofs. */
export const NODE_PROOF_CRYPTO: ProofCrypto = {
  sha256: async (bytes) => hash('sha256', bytes, 'buffer'),
  isSignedBy: async (spki, signature, bytes) => {
    const key = identityKeyOf(spki);
    return key !== undefined && isSignedBy(bytes, signature, key);
  },
};
