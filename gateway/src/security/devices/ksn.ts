import { toHex } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import {
  AES_KSN_BYTES,
  INITIAL_KEY_ID_BYTES,
  requireLegalAesCounter,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import {
  requireLegalTdesCounter,
  TDES_KSN_BYTES,
  withTdesCounter,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';

/** A key serial number taken apart. */
export interface KsnParts {
  /** All of it, uppercase hex. */
  readonly ksn: string;
  /** The same with the counter zero: key set and device. */
  readonly initialKsn: string;
  /** Of the transaction; never zero. */
  readonly counter: number;
}

/** The parts of a KSN of TDES DUKPT (10 bytes, X9.24-1) or AES DUKPT (12 bytes, X9.24-3); undefined for any other bytes or an illegal counter. */
export function ksnParts(ksn: Uint8Array): KsnParts | undefined {
  try {
    if (ksn.length === TDES_KSN_BYTES)
      return partsOf(ksn, withTdesCounter(ksn, 0), requireLegalTdesCounter(ksn));
    // Bytes of any other length have no counter of AES DUKPT.
    const initial = Buffer.concat([ksn.subarray(0, INITIAL_KEY_ID_BYTES)], AES_KSN_BYTES);
    return partsOf(ksn, initial, requireLegalAesCounter(ksn));
  } catch (error) {
    if (error instanceof CryptoError) return undefined;
    throw error;
  }
}

/** Whether a text is an initial KSN: 20 or 24 uppercase hex digits whose counter is zero. */
export function isInitialKsn(text: string): boolean {
  if (!/^(?:[0-9A-F]{20}|[0-9A-F]{24})$/.test(text)) return false;
  const first = Buffer.from(text, 'hex');
  // The first KSN of the device has the counter one.
  first.writeUInt8(first.readUInt8(first.length - 1) | 1, first.length - 1);
  return ksnParts(first)?.initialKsn === text;
}

function partsOf(ksn: Uint8Array, initialKsn: Uint8Array, counter: number): KsnParts {
  return { ksn: hex(ksn), initialKsn: hex(initialKsn), counter };
}

function hex(bytes: Uint8Array): string {
  return toHex(bytes).toUpperCase();
}
