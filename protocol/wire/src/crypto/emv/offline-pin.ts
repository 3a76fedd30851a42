import { wipe } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { encodePinBlock, PIN_BLOCK_BYTES, type Pin } from '../pin/pin-block.js';
import { type RsaPublicKey, rsaRecover } from './rsa-recovery.js';

/** First byte of the enciphered PIN data (EMV Book 2 table 25). */
const HEADER = 0x7f;
/** The card's challenge, from GET CHALLENGE. */
const OFFLINE_PIN_CHALLENGE_BYTES = 8;

/**
 * The data of a VERIFY command with plaintext PIN: a format 2 block (EMV Book 3 §6.5.12). The caller wipes it.
 * @throws CryptoError badPin
 */
export function plaintextOfflinePin(pin: Pin): Buffer {
  return encodePinBlock({ format: 2, pin });
}

/**
 * The data of a VERIFY command with enciphered PIN (EMV Book 2 §7.2): header, format 2 block, the card's challenge and random
 * bytes, enciphered under the card's PIN encipherment key (or its signing key).
 * @param challenge 8 bytes from the card
 * @param random gives `length` random bytes
 * @throws CryptoError badPin, badArgument, badKey (the card's key cannot be used)
 */
export function encipheredOfflinePin(
  iccKey: RsaPublicKey,
  pin: Pin,
  challenge: Uint8Array,
  random: (length: number) => Uint8Array,
): Buffer {
  if (challenge.length !== OFFLINE_PIN_CHALLENGE_BYTES) {
    throw new CryptoError('badArgument', `the card's challenge has ${challenge.length} bytes, expected 8`);
  }
  const fill = iccKey.modulus.length - 1 - PIN_BLOCK_BYTES - OFFLINE_PIN_CHALLENGE_BYTES;
  if (fill < 0) throw new CryptoError('badKey', 'the key is too short for a PIN');
  const block = plaintextOfflinePin(pin);
  const clear = Buffer.concat([Buffer.from([HEADER]), block, challenge, random(fill)]);
  // The card's public operation is the same power as recovery.
  const enciphered = rsaRecover(iccKey, clear);
  wipe(block, clear);
  if (enciphered === undefined) throw new CryptoError('badKey', 'the key of the card cannot be used');
  return enciphered;
}
