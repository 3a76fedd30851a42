import type { ProofCrypto } from '@tillbridge/wire/proof/verify-proof.js';

/** The cryptography of this browser for proofs. A page of a file has it, too. */
export const BROWSER_CRYPTO: ProofCrypto = {
  sha256: async (bytes) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)),
  isSignedBy: async (spki, signature, bytes) => {
    const form = { name: 'Ed25519' };
    const key = await crypto.subtle.importKey('spki', spki as Uint8Array<ArrayBuffer>, form, false, [
      'verify',
    ]);
    return crypto.subtle.verify(
      form,
      key,
      signature as Uint8Array<ArrayBuffer>,
      bytes as Uint8Array<ArrayBuffer>,
    );
  },
};
