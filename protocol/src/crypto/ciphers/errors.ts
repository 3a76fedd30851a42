/**
 * Every rule that a cryptographic input can break. The codes are those of the published test vectors where the
 * vectors name one; a code is never reused for another meaning.
 */
export const CRYPTO_RULES = {
  // sizes and shapes of arguments
  badKeyLength: 'the key has a length that the algorithm does not take',
  badDataLength: 'the data is no whole number of cipher blocks',
  badIv: 'the initial value is not one cipher block',
  badKsn: 'the key serial number has the wrong length',
  badPan: 'the PAN is not of 8 to 19 digits (1 to 19 in a PIN block)',
  badPin: 'the PIN is not 4 to 12 digits',
  badArgument: 'an argument is not of the form that the operation takes',
  // keys
  badParity: 'a key byte has even parity',
  testKey: 'a published test key is refused in live mode',
  // DUKPT
  badCounter: 'the transaction counter is zero or has more one-bits than the standard allows',
  counterExhausted: 'no legal counter follows: the device needs a new initial key',
  // PIN blocks
  badControl: 'the control nibble belongs to another PIN block format (or the key is another one)',
  badLength: 'the length is outside the range that the format allows',
  badDigits: 'a PIN digit is not 0 to 9 (or the PAN or the key is another one)',
  badPadding: 'the padding is not that of the format',
  notAllowed: 'the standard or the policy forbids this operation',
  // key blocks
  badHeader: 'the key block header is malformed',
  badEncoding: 'key or MAC part of the text is not hex',
  badKbpk: 'the key block protection key does not fit the version',
  badMac: 'the message authentication code differs',
  badKey: 'the length inside the deciphered key data is impossible',
  // authenticated encryption
  badTagLength: 'the authentication tag is not 16 bytes',
  badTag: 'the authentication tag differs: changed data, other key, or other associated data',
  // offline data authentication
  badCheckValue: 'the hash delivered with the certification authority key differs',
  badIssuerCertificate: 'header, trailer or hash of the recovered issuer certificate is wrong',
  badIccCertificate: 'header, trailer, hash or PAN of the recovered card certificate is wrong',
  badSsad: 'header, trailer or hash of the signed static data is wrong',
  badSdad: 'header, trailer or hash of the signed dynamic data is wrong',
  // containers and wallet tokens
  malformed: 'the content cannot be read as the scheme says',
  badVersion: 'the version is not the one of the scheme',
  badChain: 'the certificate or intermediate key is not signed by a trust anchor',
  expiredKey: 'the certificate or intermediate key has expired',
  badSignature: 'the signature fails: changed content or another recipient',
  unknownKey: 'no merchant key fits the token',
  expiredMessage: 'the token has expired',
} as const;

/** The rule that an input broke. */
export type CryptoRule = keyof typeof CRYPTO_RULES;

/**
 * A cryptographic input was refused. `rule` says why, for programs; the message says it for people and names lengths
 * and fields only, never key, PIN, PAN or plaintext bytes.
 */
export class CryptoError extends Error {
  override readonly name = 'CryptoError';
  readonly rule: CryptoRule;

  constructor(rule: CryptoRule, detail?: string) {
    super(
      detail === undefined ? `${rule}: ${CRYPTO_RULES[rule]}` : `${rule}: ${CRYPTO_RULES[rule]} (${detail})`,
    );
    this.rule = rule;
  }
}
