import { createDecipheriv, createHmac, hkdfSync, type KeyObject, verify } from 'node:crypto';
import { equalConstantTime, lengthPrefixed, wipe } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { merchantPrivateKey, p256FromPoint, p256PublicKey, sharedSecret } from './ec-keys.js';
import {
  base64Bytes,
  base64Field,
  objectField,
  parseObject,
  type TokenObject,
  textField,
  textListField,
  unixMsField,
} from './token-json.js';

/** The schemes of this family. */
export type GoogleScheme = 'googleEcV1' | 'googleEcV2' | 'googleEcV2SigningOnly';

interface SchemeFacts {
  readonly version: string;
  /** Whether the message key is itself signed by a root key, with an expiry. */
  readonly intermediate: boolean;
  /** Bytes of each of the two keys; absent where nothing is enciphered. */
  readonly keyBytes?: 16 | 32;
}

const SCHEMES: Readonly<Record<GoogleScheme, SchemeFacts>> = {
  googleEcV1: { version: 'ECv1', intermediate: false, keyBytes: 16 },
  googleEcV2: { version: 'ECv2', intermediate: true, keyBytes: 32 },
  googleEcV2SigningOnly: { version: 'ECv2SigningOnly', intermediate: true },
};

/** What a token is judged against; nothing of it comes from the token. */
interface GoogleTrust {
  /** `merchant:<id>` or `gateway:<id>`. */
  readonly recipientId: string;
  readonly senderId: string;
  /** Root signing keys, SPKI DER: of those that the wallet publishes the ones that have not expired. */
  readonly rootSigningKeys: readonly Uint8Array[];
  /** Merchant private keys, PKCS#8 DER, tried in turn while keys are being rotated; none for the signing-only scheme. */
  readonly merchantPrivateKeys: readonly Uint8Array[];
  /** The merchant that the payload must name, where the recipient is a gateway that serves many. */
  readonly gatewayMerchantId?: string;
  /** The time of judgement; without it nothing expires (a payload of text carries no time). */
  readonly nowMs: number | undefined;
}

/** Whether the payload is JSON with an expiry, or bare text. */
export type PayloadFormat = 'json' | 'text';

/** A verified and opened token. */
interface GooglePayload {
  readonly payloadText: string;
  /** The parsed payload when it is JSON. */
  readonly payload?: TokenObject;
}

/**
 * Verifies a token of the Google-style schemes and opens it. Checked in this order: version; chain and key expiry; message
 * signature; tag; payload expiry. Nothing is deciphered before the signature stands.
 * @throws CryptoError badVersion, badChain, expiredKey, badSignature, badTag, expiredMessage, notAllowed, malformed
 */
export function openGoogleToken(
  scheme: GoogleScheme,
  token: TokenObject,
  trust: GoogleTrust,
  format: PayloadFormat,
): GooglePayload {
  const facts = SCHEMES[scheme];
  if (token.protocolVersion !== facts.version)
    throw new CryptoError('badVersion', `expected ${facts.version}`);
  const signedMessage = textField(token, 'signedMessage');
  const keys = facts.intermediate ? [intermediateKey(facts, token, trust)] : rootKeys(trust);
  requireMessageSignature(facts, token, signedMessage, trust, keys);
  const payloadText =
    facts.keyBytes === undefined ? signedMessage : decrypt(signedMessage, trust, facts.keyBytes);
  return readPayload(payloadText, format, trust);
}

function rootKeys(trust: GoogleTrust): KeyObject[] {
  return trust.rootSigningKeys.map((spki) => p256PublicKey(spki, 'root signing key'));
}

/** The bytes that a signature covers. */
export function signedBytes(...parts: readonly string[]): Buffer {
  return lengthPrefixed(parts, 'little-endian');
}

function isSigned(data: Buffer, keys: readonly KeyObject[], signatures: readonly Buffer[]): boolean {
  return keys.some((key) => signatures.some((signature) => verify('sha256', data, key, signature)));
}

/** The intermediate key, signed by a root and not expired. The text that was signed is verified as received. */
function intermediateKey(facts: SchemeFacts, token: TokenObject, trust: GoogleTrust): KeyObject {
  const holder = objectField(token, 'intermediateSigningKey');
  const signedKey = textField(holder, 'signedKey');
  const signatures = textListField(holder, 'signatures').map((text) => base64Bytes(text, 'signatures'));
  if (!isSigned(signedBytes(trust.senderId, facts.version, signedKey), rootKeys(trust), signatures)) {
    throw new CryptoError('badChain', 'the intermediate key is signed by no root key');
  }
  const key = parseObject(signedKey, 'signedKey');
  const expiryMs = unixMsField(key, 'keyExpiration');
  if (trust.nowMs !== undefined && trust.nowMs >= expiryMs)
    throw new CryptoError('expiredKey', 'intermediate key');
  return p256PublicKey(base64Field(key, 'keyValue'), 'keyValue');
}

function requireMessageSignature(
  facts: SchemeFacts,
  token: TokenObject,
  signedMessage: string,
  trust: GoogleTrust,
  keys: readonly KeyObject[],
): void {
  const data = signedBytes(trust.senderId, trust.recipientId, facts.version, signedMessage);
  if (!isSigned(data, keys, [base64Field(token, 'signature')])) throw new CryptoError('badSignature');
}

interface Enciphered {
  readonly message: Buffer;
  readonly ephemeral: Buffer;
  readonly tag: Buffer;
}

function decrypt(signedMessage: string, trust: GoogleTrust, keyBytes: 16 | 32): string {
  const message = parseObject(signedMessage, 'signedMessage');
  const parts: Enciphered = {
    message: base64Field(message, 'encryptedMessage'),
    ephemeral: base64Field(message, 'ephemeralPublicKey'),
    tag: base64Field(message, 'tag'),
  };
  for (const pkcs8 of trust.merchantPrivateKeys) {
    const opened = tryDecrypt(parts, merchantPrivateKey(pkcs8), keyBytes);
    if (opened !== undefined) return opened;
  }
  throw new CryptoError('badTag', 'under no merchant key');
}

function tryDecrypt(
  { message, ephemeral, tag }: Enciphered,
  privateKey: KeyObject,
  keyBytes: 16 | 32,
): string | undefined {
  const secret = sharedSecret(privateKey, p256FromPoint(ephemeral, 'ephemeralPublicKey'));
  const input = Buffer.concat([ephemeral, secret]);
  const derived = Buffer.from(hkdfSync('sha256', input, Buffer.alloc(0), 'Google', keyBytes * 2));
  try {
    const expected = createHmac('sha256', derived.subarray(keyBytes)).update(message).digest();
    if (!equalConstantTime(expected, tag)) return undefined;
    const cipher = createDecipheriv(
      `aes-${keyBytes * 8}-ctr`,
      derived.subarray(0, keyBytes),
      Buffer.alloc(16),
    );
    return cipher.update(message).toString('utf8');
  } finally {
    wipe(secret, input, derived);
  }
}

function readPayload(payloadText: string, format: PayloadFormat, trust: GoogleTrust): GooglePayload {
  if (format === 'text') return { payloadText };
  const payload = parseObject(payloadText, 'payload');
  if (trust.nowMs !== undefined && trust.nowMs >= unixMsField(payload, 'messageExpiration'))
    throw new CryptoError('expiredMessage');
  const { gatewayMerchantId } = trust;
  if (gatewayMerchantId !== undefined && payload.gatewayMerchantId !== gatewayMerchantId) {
    throw new CryptoError('notAllowed', 'the token is for another merchant of this gateway');
  }
  return { payloadText, payload };
}
