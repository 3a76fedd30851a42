import { createHash, createPublicKey } from 'node:crypto';
import { wipe } from '../../bytes.js';
import type { WalletName } from '../../payment/wallet-names.js';
import { CryptoError } from '../ciphers/errors.js';
import { APPLE_CLOCK_TOLERANCE_MS, APPLE_SIGNATURE_MAX_AGE_MS, openAppleToken } from './apple-token.js';
import { merchantPrivateKey } from './ec-keys.js';
import { type GoogleScheme, openGoogleToken } from './google-token.js';
import { openJweToken } from './jwe-token.js';
import { objectField, parseObject, TOKEN_TEXT_MAX_LENGTH, textField, unixMsField } from './token-json.js';
import { readPaymentOfA, readPaymentOfB, readPaymentOfC, type WalletPayment } from './wallet-payment.js';

/** Sender of walletB's signatures, a constant of its schemes. */
export const SENDER_OF_B = 'Google';
/** A merchant identifier of walletB that begins so is a gateway's: the payload then names the merchant. */
export const GATEWAY_RECIPIENT = 'gateway:';

/** What a token is judged against; nothing of it comes from the token. */
interface WalletTrust {
  /** DER: certificates of walletA, public keys (SPKI) of the others. */
  readonly roots: readonly Uint8Array[];
  /** The merchant as the wallet knows it: its identifier of walletA or `sha256:` and the hash of it, the recipient of walletB, the audience of walletC. */
  readonly merchantIdentifier: string;
  /** The merchant among those that share a gateway's recipient of walletB. */
  readonly gatewayMerchantId: string;
  /** PKCS#8 DER, the newest first. */
  readonly privateKeys: readonly Uint8Array[];
  readonly nowMs: number;
}

/** A verified and opened token. */
export interface OpenedWalletToken {
  readonly payment: WalletPayment;
  /** The token's own id: the same again is a replay. */
  readonly tokenId: string;
  /** After this time the token is refused as expired, however often it comes. */
  readonly expiresAtMs: number;
}

/**
 * Verifies a wallet's token and opens it. Nothing is deciphered before its signature stands.
 * @param token what `<wallet>.paymentToken` holds: JSON of walletA and walletB, a compact JWS of walletC
 * @throws CryptoError badVersion, badChain, expiredKey, badSignature, unknownKey, badTag, expiredMessage, notAllowed, malformed
 */
export function openWalletToken(
  wallet: WalletName,
  token: string,
  trust: WalletTrust,
): Promise<OpenedWalletToken> {
  return OPENERS[wallet](token, trust);
}

type Opener = (token: string, trust: WalletTrust) => Promise<OpenedWalletToken>;

const OPENERS: Readonly<Record<WalletName, Opener>> = {
  walletA: async (text, { roots, merchantIdentifier, privateKeys, nowMs }) => {
    const token = jsonToken(text);
    const merchantIdHash = hashOf(merchantIdentifier);
    const opened = openAppleToken(token, { merchantIdHash, privateKeys, trustAnchors: roots, nowMs });
    wipe(opened.sharedSecret, opened.symmetricKey);
    return {
      payment: readPaymentOfA(opened.payment),
      tokenId: textField(objectField(token, 'header'), 'transactionId').toLowerCase(),
      expiresAtMs: nowMs + APPLE_SIGNATURE_MAX_AGE_MS + APPLE_CLOCK_TOLERANCE_MS,
    };
  },
  walletB: async (text, trust) => {
    const token = jsonToken(text);
    const { merchantIdentifier: recipientId, gatewayMerchantId } = trust;
    const scheme = SCHEMES_OF_B.get(token.protocolVersion);
    if (scheme === undefined) throw new CryptoError('badVersion', 'expected ECv1 or ECv2');
    const about = {
      recipientId,
      senderId: SENDER_OF_B,
      rootSigningKeys: trust.roots,
      merchantPrivateKeys: trust.privateKeys,
      nowMs: trust.nowMs,
      ...(recipientId.startsWith(GATEWAY_RECIPIENT) && { gatewayMerchantId }),
    };
    const { payload = {} } = openGoogleToken(scheme, token, about, 'json');
    return {
      payment: readPaymentOfB(payload),
      tokenId: idField(payload, 'messageId'),
      expiresAtMs: unixMsField(payload, 'messageExpiration'),
    };
  },
  walletC: async (text, { roots, merchantIdentifier, privateKeys, nowMs }) => {
    const payload = await openJweToken(text.trim(), {
      signingKeys: roots.map((key) =>
        createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' }),
      ),
      merchantPrivateKeys: privateKeys.map(merchantPrivateKey),
      nowMs,
    });
    if (payload.aud !== merchantIdentifier)
      throw new CryptoError('notAllowed', 'the token is for another merchant');
    return {
      payment: readPaymentOfC(payload),
      tokenId: idField(payload, 'jti'),
      expiresAtMs: Number(payload.exp) * 1_000,
    };
  },
};

/** Identifier of walletA of which the hash alone is known: it stands in the merchant's certificate. */
const HASHED = /^sha256:([0-9A-Fa-f]{64})$/;

function hashOf(merchantIdentifier: string): Buffer {
  const [, hash] = HASHED.exec(merchantIdentifier) ?? [];
  return hash === undefined
    ? createHash('sha256').update(merchantIdentifier).digest()
    : Buffer.from(hash, 'hex');
}

/** The schemes of walletB that encipher; one that only signs would bring card data in clear. */
const SCHEMES_OF_B: ReadonlyMap<unknown, GoogleScheme> = new Map([
  ['ECv1', 'googleEcV1'],
  ['ECv2', 'googleEcV2'],
]);

function jsonToken(text: string) {
  if (text.length > TOKEN_TEXT_MAX_LENGTH) throw new CryptoError('malformed', 'token is too long');
  return parseObject(text, 'token');
}

/** @throws CryptoError malformed where there is no id */
function idField(payload: Parameters<typeof textField>[0], name: string): string {
  const id = textField(payload, name);
  if (id === '') throw new CryptoError('malformed', `${name} is empty`);
  return id;
}
