import {
  createCipheriv,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { signedBytes } from '@tillbridge/wire/crypto/wallets/google-token.js';
import { TEST_SIGNING_KEYS } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import { GATEWAY_RECIPIENT, SENDER_OF_B } from '@tillbridge/wire/crypto/wallets/wallet-token.js';
import { agreeWith, receiverOf } from './ec-agreement.js';
import { expiryOf, type TokenOrder } from './token-order.js';

/** Bytes of each of the two keys of a scheme. */
const KEY_BYTES = { ECv1: 16, ECv2: 32 } as const;

/** A token of the ECv1 or ECv2 style as JSON text: enciphered for the merchant, then signed; in ECv2 by a key that the root signed. */
export function issueTokenB(order: TokenOrder): string {
  const { version = 'ECv2', flaw, merchantIdentifier } = order;
  const signedMessage = encipher(order, version);
  const root = rootKey();
  const own = version === 'ECv2' ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) : undefined;
  const text = flaw === 'signature' ? `${signedMessage} ` : signedMessage;
  const key = own?.privateKey ?? root;
  const token = {
    protocolVersion: flaw === 'version' ? 'ECv0' : version,
    signature: signed(key, SENDER_OF_B, merchantIdentifier, version, text),
    ...(own && { intermediateSigningKey: intermediateOf(order, own.publicKey, root) }),
    signedMessage,
  };
  return JSON.stringify(flaw === 'format' ? { ...token, signedMessage: undefined } : token);
}

function intermediateOf({ nowMs, flaw }: TokenOrder, key: KeyObject, root: KeyObject): object {
  const signedKey = JSON.stringify({
    keyValue: key.export({ format: 'der', type: 'spki' }).toString('base64'),
    keyExpiration: String(nowMs + 24 * 3_600_000),
  });
  const signer = flaw === 'chain' ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey : root;
  return { signedKey, signatures: [signed(signer, SENDER_OF_B, 'ECv2', signedKey)] };
}

function encipher(order: TokenOrder, version: keyof typeof KEY_BYTES): string {
  const { point, secret } = agreeWith(receiverOf(order.merchantKey, order.flaw === 'merchant'));
  const bytes = KEY_BYTES[version];
  const keys = Buffer.from(hkdfSync('sha256', Buffer.concat([point, secret]), '', 'Google', bytes * 2));
  const cipher = createCipheriv(`aes-${bytes * 8}-ctr`, keys.subarray(0, bytes), Buffer.alloc(16));
  const message = cipher.update(JSON.stringify(payloadOf(order, version)), 'utf8');
  return JSON.stringify({
    encryptedMessage: message.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', keys.subarray(bytes)).update(message).digest('base64'),
  });
}

function payloadOf(order: TokenOrder, version: keyof typeof KEY_BYTES): object {
  const { payment, merchantIdentifier, gatewayMerchantId, tokenId } = order;
  const { pan, numberType, cryptogram, eci, amount } = payment;
  const expiry = {
    expirationMonth: Number(payment.expiryMonth),
    expirationYear: Number(payment.expiryYear),
  };
  const isToken = numberType === 'DPAN';
  const ofV1 = isToken
    ? { dpan: pan, ...expiry, authMethod: '3DS', '3dsCryptogram': cryptogram, '3dsEciIndicator': eci }
    : { pan, ...expiry };
  const ofV2 = isToken
    ? { pan, ...expiry, authMethod: 'CRYPTOGRAM_3DS', cryptogram, eciIndicator: eci }
    : { pan, ...expiry, authMethod: 'PAN_ONLY' };
  return {
    ...(merchantIdentifier.startsWith(GATEWAY_RECIPIENT) && { gatewayMerchantId }),
    messageExpiration: String(expiryOf(order)),
    messageId: tokenId,
    paymentMethod: version === 'ECv1' && isToken ? 'TOKENIZED_CARD' : 'CARD',
    paymentMethodDetails: version === 'ECv1' ? ofV1 : ofV2,
    ...(amount && { transactionAmount: amount.minor, currencyCode: amount.currency }),
  };
}

/** A signature over parts; base64. */
function signed(key: KeyObject, ...parts: readonly string[]): string {
  return sign('sha256', signedBytes(...parts), key).toString('base64');
}

function rootKey(): KeyObject {
  const key = Buffer.from(TEST_SIGNING_KEYS.walletB, 'base64');
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
