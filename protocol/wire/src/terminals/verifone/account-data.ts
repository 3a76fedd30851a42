import { decodeTlv, findTlv, TlvError } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';

/**
 * Padding of account data in whole cipher blocks. The guide's example of a device's security configuration names PKCS7 for its
 * scheme and none for the host profile (from public sources incomplete): PKCS7 is what a device must be set to.
 */
export function padPkcs7(data: Uint8Array, blockBytes: number): Buffer {
  const count = blockBytes - (data.length % blockBytes);
  return Buffer.concat([data, Buffer.alloc(count, count)]);
}

/** The data without their padding. @throws TerminalFormatError */
function unpadPkcs7(padded: Uint8Array, blockBytes: number): Buffer {
  const count = padded[padded.length - 1] ?? 0;
  const end = padded.length - count;
  const whole = padded.length > 0 && padded.length % blockBytes === 0;
  if (!whole || count === 0 || count > blockBytes || padded.subarray(end).some((byte) => byte !== count)) {
    throw new TerminalFormatError('account data', 'has no PKCS7 padding');
  }
  return Buffer.from(padded.subarray(0, end));
}

/** Account data as they came out of DFA125. */
interface SdiAccountData {
  readonly pan: string;
  /** Digits with `D` as separator. */
  readonly track2?: string;
  /** `YYMM`. */
  readonly expiry?: string;
}

const BLOCK_BYTES = 8;
const DIGITS = /^\d{8,19}$/;

/**
 * Reads deciphered account data: tags 5A, 57, 5F24 as requested with GET ENC DATA, padded by PKCS7.
 * @throws TerminalFormatError when they are none, as after a wrong key
 */
export function decodeAccountData(clear: Uint8Array): SdiAccountData {
  const [pan, track2, expiry] = accountObjects(clear);
  const track2Text = track2 && digitsOf(track2);
  const panText = pan ? digitsOf(pan) : (track2Text?.split('D')[0] ?? '');
  if (!DIGITS.test(panText)) throw new TerminalFormatError('account data', 'hold no PAN');
  const expiryText = expiry ? digitsOf(expiry).slice(0, 4) : track2Text?.split('D')[1]?.slice(0, 4);
  return {
    pan: panText,
    ...(track2Text !== undefined && { track2: track2Text }),
    ...(expiryText !== undefined && { expiry: expiryText }),
  };
}

function accountObjects(clear: Uint8Array): (Uint8Array | undefined)[] {
  const data = unpadPkcs7(clear, BLOCK_BYTES);
  try {
    const nodes = decodeTlv(data, { padding: 'strict' });
    return ['5A', '57', '5F24'].map((tag) => findTlv(nodes, tag));
  } catch (error) {
    if (error instanceof TlvError)
      throw new TerminalFormatError('account data', `are no BER-TLV: ${error.message}`);
    throw error;
  }
}

/** Compressed numeric digits, fill removed (EMV Book 3 §4.3). */
function digitsOf(value: Uint8Array): string {
  return Buffer.from(value).toString('hex').toUpperCase().replace(/F+$/, '');
}
