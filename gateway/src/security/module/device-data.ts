import type { AesKeyUsage } from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import type { AccountData } from './security-module.js';

/** What the clear account data of a device contains. */
export interface DeviceAccountData extends Pick<AccountData, 'pan' | 'track2' | 'holder' | 'cvv'> {
  /** `YYMM`. */
  readonly expiry?: string;
  /** The PIN block that came with them, still under the device's PIN key. */
  readonly pin?: DevicePinBlock;
}

/** A PIN block as the device enciphered it. */
export interface DevicePinBlock {
  readonly ksn: Uint8Array;
  readonly pinBlock: Uint8Array;
  /** ISO 9564 format under a TDES key; under an AES key it is 4. */
  readonly format?: 0 | 3;
}

/** Bytes under a data key and the serial number of the key. */
export interface EncipheredPart {
  readonly ksn: Uint8Array;
  readonly data: Uint8Array;
  /** The purpose of the AES working key by the device's data; absent: that of the device's profile. */
  readonly aesUsage?: AesKeyUsage;
}

/** Deciphers what a device enciphered once more inside its account data; the module wipes the clear bytes afterwards. */
export type DecipherPart = (part: EncipheredPart) => Uint8Array;

/** What a device wraps around its cipher text. */
export interface DataEnvelope extends EncipheredPart {
  /** Bytes at the end of the clear data that only fill the last block. */
  readonly paddingBytes: number;
  /** The card number was keyed in, by the device's data: it made the track inside itself. */
  readonly keyedIn?: boolean;
  /** Authenticates the whole: a CBC-MAC under its MAC key, or a CMAC under an AES one, cut to the bytes that came. */
  readonly authentication: {
    readonly ksn: Uint8Array;
    /** As in {@link EncipheredPart}; the making of MACs when absent. */
    readonly aesUsage?: AesKeyUsage;
    readonly message: Uint8Array;
    readonly mac: Uint8Array;
  };
}
