import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { openJweToken } from '@tillbridge/wire/crypto/wallets/jwe-token.js';
import { CompactEncrypt, CompactSign } from 'jose';
import { fuzzTargets } from './target.js';

const PKCS8_HEAD = '3041020100301306072A8648CE3D020106082A8648CE3D030107042730250201010420';
const NOW_MS = 1_800_000_000_000;

/** A P-256 key from a fixed secret: the same at every run. */
function keyOf(seed: number): KeyObject {
  const pkcs8 = Buffer.concat([Buffer.from(PKCS8_HEAD, 'hex'), Buffer.alloc(32, seed)]);
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

const [SIGNER, MERCHANT] = [keyOf(0x11), keyOf(0x22)];
const TRUST = { signingKeys: [createPublicKey(SIGNER)], merchantPrivateKeys: [MERCHANT], nowMs: NOW_MS };

function enciphered(payload: unknown, alg = 'ECDH-ES'): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg, enc: 'A256GCM' })
    .encrypt(createPublicKey(MERCHANT));
}

function signed(content: Uint8Array): Promise<string> {
  return new CompactSign(content).setProtectedHeader({ alg: 'ES256' }).sign(SIGNER);
}

const GOOD = { exp: NOW_MS / 1000 + 60, pan: 'x' };
const TOKENS = await Promise.all([
  enciphered(GOOD),
  enciphered(GOOD, 'ECDH-ES+A256KW'),
  enciphered({ exp: 1 }),
]);
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The JWE-style wallet: the token as received, the JWE inside a signature that is right, and the clear payload. */
export const JWE_TARGETS = fuzzTargets([CryptoError], {
  'crypto/jwe-token': {
    corpus: (await Promise.all(TOKENS.map((token) => signed(bytes(token))))).map(bytes),
    run: (input) => openJweToken(Buffer.from(input).toString('latin1'), TRUST),
  },
  'crypto/jwe-token-inside': {
    corpus: TOKENS.map(bytes),
    run: async (input) => openJweToken(await signed(input), TRUST),
  },
  'crypto/jwe-token-payload': {
    corpus: [GOOD, { exp: '1' }, []].map((payload) => bytes(JSON.stringify(payload))),
    run: async (input) => {
      const jwe = await new CompactEncrypt(input)
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM' })
        .encrypt(createPublicKey(MERCHANT));
      return openJweToken(await signed(bytes(jwe)), TRUST);
    },
  },
});
