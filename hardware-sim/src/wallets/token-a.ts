import { createCipheriv, createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { APPLE_SIGNATURE_MAX_AGE_MS } from '@tillbridge/wire/crypto/wallets/apple-token.js';
import { TEST_CERTIFICATES_A, TEST_SIGNING_KEYS } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import type { WalletPayment } from '@tillbridge/wire/crypto/wallets/wallet-payment.js';
import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import {
  context,
  objectIdentifier,
  octets,
  primitive,
  sequence,
  setOf,
  smallInteger,
  utcTime,
} from './der.js';
import { agreeWith, receiverOf } from './ec-agreement.js';
import type { TokenOrder } from './token-order.js';

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

/** Signed so long ago that the token is too old by a second. */
const TOO_OLD_MS = APPLE_SIGNATURE_MAX_AGE_MS + 1_000;

/** A token of the EC_v1 style as JSON text: enciphered for the merchant, then signed by the test signer. */
export function issueTokenA(order: TokenOrder): string {
  const { payment, merchantIdentifier, merchantKey, tokenId, flaw, nowMs } = order;
  const receiver = receiverOf(merchantKey, flaw === 'merchant');
  const { spki, secret } = agreeWith(receiver);
  const transactionId = createHash('sha256').update(tokenId).digest();
  const data = encipher(derivedKey(secret, merchantIdentifier), JSON.stringify(contentsOf(payment)));
  const signature = sign256(Buffer.concat([spki, data, transactionId]), flaw === 'chain', {
    signedAtMs: flaw === 'expiry' ? nowMs - TOO_OLD_MS : nowMs,
  });
  if (flaw === 'signature') data[0] = (data[0] ?? 0) ^ 1;
  const receiverSpki = receiver.export({ format: 'der', type: 'spki' });
  const token = {
    version: flaw === 'version' ? 'EC_v0' : 'EC_v1',
    data: data.toString('base64'),
    signature: signature.toString('base64'),
    header: {
      ephemeralPublicKey: spki.toString('base64'),
      publicKeyHash: createHash('sha256').update(receiverSpki).digest('base64'),
      transactionId: transactionId.toString('hex'),
    },
  };
  return JSON.stringify(flaw === 'format' ? { ...token, header: undefined } : token);
}

function contentsOf({ pan, expiryMonth, expiryYear, amount, cryptogram, eci }: WalletPayment): object {
  if (!amount) throw new RangeError('a token of walletA names an amount');
  return {
    applicationPrimaryAccountNumber: pan,
    applicationExpirationDate: `${expiryYear.slice(2)}${expiryMonth}31`,
    currencyCode: currencyNumber(amount.currency),
    transactionAmount: amount.minor,
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: cryptogram, eciIndicator: eci },
  };
}

/** NIST SP 800-56C §4 with SHA-256 and the party information of the scheme. */
function derivedKey(secret: Uint8Array, merchantIdentifier: string): Buffer {
  const merchant = createHash('sha256').update(merchantIdentifier).digest();
  const info = Buffer.concat([Buffer.from('\x0did-aes256-GCMApple', 'latin1'), merchant]);
  return createHash('sha256')
    .update(Uint8Array.of(0, 0, 0, 1))
    .update(secret)
    .update(info)
    .digest();
}

function encipher(key: Uint8Array, text: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16));
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** A detached CMS signature (RFC 5652 §5); without the intermediate certificate it leads to no root. */
function sign256(
  content: Uint8Array,
  withoutIntermediate: boolean,
  { signedAtMs }: { readonly signedAtMs: number },
): Buffer {
  const { intermediate, signer } = TEST_CERTIFICATES_A;
  const certificates = [signer, ...(withoutIntermediate ? [] : [intermediate])].map(fromBase64);
  const sha256 = sequence(objectIdentifier(OID.sha256));
  const attributes = [
    attribute(OID.contentType, objectIdentifier(OID.data)),
    attribute(OID.signingTime, utcTime(signedAtMs)),
    attribute(OID.messageDigest, octets(createHash('sha256').update(content).digest())),
  ];
  // Signed is the SET OF the attributes, sent is the same under an implicit tag (RFC 5652 §5.4).
  const signedSet = setOf(...attributes);
  const sentSet = Buffer.from(signedSet);
  sentSet[0] = context(0)[0] ?? 0;
  const signerInfo = sequence(
    smallInteger(3),
    primitive(0, signerKeyId()),
    sha256,
    sentSet,
    sequence(objectIdentifier(OID.ecdsaWithSha256)),
    octets(sign('sha256', signedSet, signingKey())),
  );
  const signedData = sequence(
    smallInteger(3),
    setOf(sha256),
    sequence(objectIdentifier(OID.data)),
    context(0, ...certificates),
    setOf(signerInfo),
  );
  return sequence(objectIdentifier(OID.signedData), context(0, signedData));
}

function attribute(oid: string, value: Uint8Array): Buffer {
  return sequence(objectIdentifier(oid), setOf(value));
}

/** Subject key identifier of the signer's certificate: SHA-1 of its point (RFC 5280 §4.2.1.2). */
function signerKeyId(): Buffer {
  const { publicKey } = new X509Certificate(fromBase64(TEST_CERTIFICATES_A.signer));
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}

function signingKey() {
  return createPrivateKey({ key: fromBase64(TEST_SIGNING_KEYS.walletA), format: 'der', type: 'pkcs8' });
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}
