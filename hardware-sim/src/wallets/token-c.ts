import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { TEST_SIGNING_KEYS } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import { CompactEncrypt, CompactSign } from 'jose';
import { receiverOf } from './ec-agreement.js';
import { expiryOf, type TokenOrder } from './token-order.js';

/** A token of the JWE style: a compact JWS over a compact JWE for the merchant (RFC 7515, RFC 7516). */
export async function issueTokenC(order: TokenOrder): Promise<string> {
  const { flaw, merchantKey } = order;
  const clear = Buffer.from(JSON.stringify(payloadOf(order)));
  const jwe = await new CompactEncrypt(clear)
    // An algorithm that receivers do not take stands for another version of the scheme.
    .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: flaw === 'version' ? 'A256CBC-HS512' : 'A256GCM' })
    .encrypt(receiverOf(merchantKey, flaw === 'merchant'));
  const isForeign = flaw === 'signature' || flaw === 'chain';
  const jws = await new CompactSign(Buffer.from(jwe))
    .setProtectedHeader({ alg: 'ES256' })
    .sign(isForeign ? foreignKey() : testKey());
  return flaw === 'format' ? jws.slice(0, jws.indexOf('.')) : jws;
}

function payloadOf(order: TokenOrder): object {
  const { payment, merchantIdentifier, tokenId, nowMs } = order;
  const { amount, ...card } = payment;
  return {
    aud: merchantIdentifier,
    jti: tokenId,
    iat: Math.floor(nowMs / 1_000),
    exp: Math.floor(expiryOf(order) / 1_000),
    ...card,
    ...(amount && { amount: amount.minor, currency: amount.currency }),
  };
}

function testKey() {
  const key = Buffer.from(TEST_SIGNING_KEYS.walletC, 'base64');
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function foreignKey() {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}
