import { fromHex, toHex } from '../../bytes.js';
import { type RsaPublicKey, rsaRecover } from '../../crypto/emv/rsa-recovery.js';
import { TerminalFormatError } from '../format-error.js';

/** Bytes of the host's modulus; longer ones are kept for later versions (ABECS 2.12 §5.2.1). */
const SECURE_MODULUS_BYTES = 256;
/** Bytes of the key that the device makes up for the channel, KSEC. */
export const CHANNEL_KEY_BYTES = 16;
/** Longest exponent. */
const MAX_EXPONENT_BYTES = 3;
/** OPN_OPMODE: the only mode. */
const MODE = '0';
const REQUEST = /^0256([\dA-F]{512})([1-3])([\dA-F]{2,6})$/i;
const ANSWER = /^256([\dA-F]{512})$/i;

/** The block of OPN with a public key: the host requests a channel (ABECS 2.12 §3.2.2). @throws TerminalFormatError */
export function encodeSecureOpen({ modulus, exponent }: RsaPublicKey): Buffer {
  if (modulus.length !== SECURE_MODULUS_BYTES)
    throw new TerminalFormatError('OPN_MOD', `must have ${SECURE_MODULUS_BYTES} bytes`);
  if (exponent.length === 0 || exponent.length > MAX_EXPONENT_BYTES)
    throw new TerminalFormatError('OPN_EXP', `must have 1 to ${MAX_EXPONENT_BYTES} bytes`);
  const text = `${MODE}${modulus.length}${toHex(modulus)}${exponent.length}${toHex(exponent)}`;
  return Buffer.from(text, 'latin1');
}

/** Reads the block of OPN. @throws TerminalFormatError */
export function decodeSecureOpen(block: Uint8Array): RsaPublicKey {
  const [, modulus = '', length, exponent = ''] = REQUEST.exec(latin1(block)) ?? [];
  if (exponent.length !== 2 * Number(length))
    throw new TerminalFormatError('OPN', 'must be mode 0, a modulus of 256 bytes and an exponent of 1 to 3');
  return { modulus: fromHex(modulus), exponent: fromHex(exponent) };
}

/** The block of its answer. @throws TerminalFormatError */
export function encodeSecureOpenAnswer(cryptogram: Uint8Array): Buffer {
  if (cryptogram.length !== SECURE_MODULUS_BYTES)
    throw new TerminalFormatError('OPN_CRKSEC', `must have ${SECURE_MODULUS_BYTES} bytes`);
  return Buffer.from(`${cryptogram.length}${toHex(cryptogram)}`, 'latin1');
}

/** Reads the enciphered channel key, CRKSEC. @throws TerminalFormatError */
export function decodeSecureOpenAnswer(block: Uint8Array): Buffer {
  const [, cryptogram] = ANSWER.exec(latin1(block)) ?? [];
  if (cryptogram === undefined) throw new TerminalFormatError('OPN_CRKSEC', 'must be 256 bytes in hex');
  return fromHex(cryptogram);
}

/**
 * Enciphers a channel key for the host: PKCS #1 block type 2 (ABECS 2.12 §5.2.1).
 * @param fill random bytes, as many as stand in front of the key; a zero among them is replaced
 * @throws TerminalFormatError where the public key is none
 */
export function encipherChannelKey(host: RsaPublicKey, channelKey: Uint8Array, fill: Uint8Array): Buffer {
  const block = Buffer.concat([Buffer.of(0, 2), fill.map((byte) => byte || 0xff), Buffer.of(0), channelKey]);
  const cryptogram = rsaRecover(host, block);
  if (!cryptogram) throw new TerminalFormatError('OPN_MOD', 'is no RSA modulus');
  return cryptogram;
}

/** Bytes of {@link encipherChannelKey}'s fill. */
export const CHANNEL_FILL_BYTES = SECURE_MODULUS_BYTES - CHANNEL_KEY_BYTES - 3;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
