import type { MacPadding } from '@tillbridge/wire/crypto/ciphers/padding.js';
import type { Ibm3624Profile } from '@tillbridge/wire/crypto/pin/ibm3624.js';
import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { SECURITY_MODULE_ERRORS } from '../../kernel/errors/error-table.js';
import type { DeviceKeySets } from '../keys/device-key-sets.js';
import type { KeyInfo, KeyUsage, NewKey } from '../keys/key-store.js';

/**
 * The security module: everything that needs a key happens behind these operations, and no key byte ever comes out.
 *
 * Operations are asynchronous because a hardware module answers over a wire. All byte arrays handed in stay the caller's; clear account
 * data that comes out lives in memory only.
 */
export interface SecurityModule {
  /**
   * Deciphers account data of a terminal (SRED). The KSN's length distinguishes TDES DUKPT (10 bytes, X9.24-1) from AES DUKPT (12 bytes, X9.24-3);
   * the device profile decides the rest.
   * @throws SecurityModuleError `unknown-key` (no base key for the KSN), `bad-data` (not account data after deciphering)
   */
  decryptAccountData(request: DecryptAccountDataRequest): Promise<AccountData>;
  /** Issuer side: checks the application cryptogram and makes the answer for the card (EMV Book 2 §8.1, §8.2). */
  verifyArqcAndMakeArpc(request: ArqcRequest): Promise<ArqcVerdict>;
  /**
   * Takes a PIN block from the terminal's DUKPT key to a zone key; the PIN is never seen. A TDES zone key gives ISO 9564 format 0, an AES
   * zone key format 4; changes that the standard forbids are refused.
   * @throws SecurityModuleError `unknown-key`, `bad-data`
   */
  translatePin(request: TranslatePinRequest): Promise<TranslatedPin>;
  /**
   * Issuer side: checks a translated PIN against what the issuer stored of it, the PIN verification value (PVV method) or the offset (IBM 3624).
   * Constant time in the digits.
   * @throws SecurityModuleError `unknown-key`, `bad-data`
   */
  verifyPin(request: VerifyPinRequest): Promise<boolean>;
  /**
   * A message authentication code under the key shared with a partner; whole, the caller truncates.
   * @throws SecurityModuleError `unknown-key`, `bad-data` (the method is not one of the key's algorithm)
   */
  generateMac(request: GenerateMacRequest): Promise<Uint8Array>;
  /**
   * Whether a partner's message authentication code is right; four bytes to a whole block of it are compared, in constant time. A key that was
   * rotated still verifies for its time.
   * @throws SecurityModuleError `unknown-key`, `bad-data`
   */
  verifyMac(request: VerifyMacRequest): Promise<boolean>;
  /**
   * Takes a key out of a TR-31 / X9.143 block, version B or D, into the key store. Header and wanted use must agree.
   * @throws SecurityModuleError `unknown-key` (no protection key of this name), `bad-data` (the block; a test key in live mode; a key
   * that is there already)
   */
  importKeyBlock(request: ImportKeyBlockRequest): Promise<KeyInfo>;
  /**
   * Puts a key that a partner sent in the place of the one that is used with it, or takes the first one in. Another caller sees the old key or the new
   * one, never none; for `keepOldMs` the old one still verifies and deciphers. The key in use sent once more changes nothing, a key that was
   * replaced and is still known is refused: it may come from an old message.
   * @throws SecurityModuleError `unknown-key` (nothing opens it), `bad-data` (it does not open, another check value, a test key in live mode, a
   * key that was replaced)
   */
  replaceZoneKey(request: ReplaceZoneKeyRequest): Promise<KeyInfo>;
  /** The key sets that account data can be deciphered of, and the device type of each that has one. */
  deviceKeySets(): DeviceKeySets;
}

/** Card account data in clear. Memory only: never logged, journaled or put in a table other than through the vault. */
export interface AccountData {
  /** 8 to 19 digits. */
  readonly pan: string;
  /** Four digits. */
  readonly expiryYear: string;
  /** 01 to 12. */
  readonly expiryMonth: string;
  /** Track 2 equivalent data as digits with `D` (or `=`) as separator, where the terminal gave it. */
  readonly track2?: string;
  readonly holder?: string;
  /** The code printed on the card, where the terminal took it with a card number that was keyed in. Never sealed, never kept. */
  readonly cvv?: string;
  /**
   * The PIN block, where the terminal puts it inside its account data: still enciphered under the terminal's PIN key, as
   * `pos.encryptedPin` is. Never sealed, never kept.
   */
  readonly pin?: Pick<TranslatePinRequest, 'ksn' | 'pinBlock' | 'format'>;
}

/** What stands in `pos.encryptedSred` and how to read it. */
export interface DecryptAccountDataRequest {
  /** Names the layout and cipher; the terminal's `pos.deviceType`, or `default` where none was sent. */
  readonly profile: string;
  readonly ksn: Uint8Array;
  readonly data: Uint8Array;
  /** First chaining value, for devices that send their own; else the profile's. */
  readonly iv?: Uint8Array;
  /** `YYMM` that came outside the account data or from tag 5F24, for devices that encipher the PAN alone. */
  readonly expiry?: string;
}

/** A cryptogram to check: the card's data as it came (BER-TLV). */
export interface ArqcRequest {
  readonly pan: string;
  /** Application PAN sequence number, two digits. */
  readonly panSequenceNumber: string;
  /** BER-TLV of the card with 9F26, 9F27, 9F36, 9F10 and the elements the cryptogram covers. */
  readonly iccData: Uint8Array;
  /** Authorization response code for the card (tag 8A), two characters. */
  readonly responseCode: string;
  /** Which cryptogram it must be; `ARQC` when absent. A `TC` (advice of an offline approval) is checked and not answered. */
  readonly expect?: 'ARQC' | 'TC';
}

/** What the issuer made of the cryptogram. */
export interface ArqcVerdict {
  readonly valid: boolean;
  /** Why it is not valid, for the log: names tags, no values. */
  readonly reason?: string;
  /** BER-TLV for the card: tag 91 (and scripts); present when it was a valid ARQC. */
  readonly iccDataResponse?: Uint8Array;
}

/** A PIN block of a terminal (`pos.encryptedPin`). */
export interface TranslatePinRequest {
  readonly ksn: Uint8Array;
  /** 8 bytes under TDES DUKPT, 16 bytes (format 4) under AES DUKPT. */
  readonly pinBlock: Uint8Array;
  readonly pan: string;
  /** ISO 9564 format of an 8-byte block; 0 when absent. A 16-byte block is of format 4. */
  readonly format?: 0 | 1 | 3;
  /** Acquirer that the PIN is for; INTERNAL when absent. */
  readonly zone?: string;
}

/** A PIN block under the acquirer's zone PIN key; opaque to everyone but a security module. */
export interface TranslatedPin {
  /** Name of the zone key. */
  readonly zoneKey: string;
  /** Check value of the key itself, for the time after a rotation; without it every key that still opens is tried. */
  readonly zoneKcv?: string;
  readonly pinBlock: Uint8Array;
}

/** A PIN to check. */
export type VerifyPinRequest = VerifyPvvRequest | VerifyIbm3624Request;

interface PinToVerify {
  readonly pin: TranslatedPin;
  readonly pan: string;
}

/** A PIN to check against the PIN verification value. */
interface VerifyPvvRequest extends PinToVerify {
  /** PIN verification key index, one digit. */
  readonly pvki: string;
  /** Four digits. */
  readonly pvv: string;
}

/** A PIN to check against an IBM 3624 offset. */
interface VerifyIbm3624Request extends PinToVerify {
  /** How the issuer makes PINs. */
  readonly ibm3624: Ibm3624Profile;
  /** As many digits as the PIN has; zeros where the PIN is the natural one. */
  readonly offset: string;
}

/**
 * How a MAC is made: ISO/IEC 9797-1 algorithm 1 (that of X9.9, here with TDES keys alone), algorithm 3 (X9.19) with double-length TDES keys, CMAC with
 * TDES and AES keys.
 */
export type MacMethod = 'iso9797Algorithm1' | 'iso9797Algorithm3' | 'cmac';

/**
 * The key of one message under the `bdk-mac` key of the KSN, by TDES DUKPT (X9.24-1) or AES DUKPT (X9.24-3), by the length of the KSN; each
 * direction has its own key.
 */
export interface DukptMac {
  readonly ksn: Uint8Array;
  readonly direction: 'request' | 'response';
}

/** A message to authenticate. */
export interface GenerateMacRequest {
  /** Whom the `mac` key is shared with. */
  readonly partner: string;
  /** In place of the `mac` key: algorithm 3 (TDES) or CMAC (AES) under a key of this message alone. */
  readonly dukpt?: DukptMac;
  /** Algorithm 3 with double-length TDES keys and CMAC with the others when absent, so that keys may be replaced by those of another algorithm. */
  readonly method?: MacMethod;
  /** Padding of algorithms 1 and 3; `iso9797Method1` when absent. CMAC has its own. */
  readonly padding?: MacPadding;
  readonly data: Uint8Array;
}

/** A message and the MAC that came with it. */
export interface VerifyMacRequest extends GenerateMacRequest {
  readonly mac: Uint8Array;
}

/** A key on its way in, enciphered. */
export interface ImportKeyBlockRequest extends Omit<NewKey, 'algorithm' | 'key'> {
  /** Whom the key block protection key (`kbpk`) is shared with. */
  readonly partner: string;
  /** The block as text. */
  readonly block: string;
  readonly usage: KeyUsage;
}

/** What a zone key does. */
export type ZoneKeyUsage = Extract<KeyUsage, 'mac' | 'zone-pin'>;

/** A key of a zone on its way in, enciphered. */
export interface ReplaceZoneKeyRequest {
  /** The acquirer that the key is shared with, and what opens it. */
  readonly partner: string;
  readonly usage: ZoneKeyUsage;
  readonly wrapped: WrappedZoneKey;
  /** How long the old key is still accepted, in milliseconds; at most {@link MAX_ZONE_KEY_OVERLAP_MS}. */
  readonly keepOldMs: number;
}

/** How a partner sends a key: in a TR-31 / X9.143 block under the `kbpk`, or as TDES blocks under the `zmk`. */
export type WrappedZoneKey =
  | { readonly block: string }
  | {
      readonly cryptogram: Uint8Array;
      /** Check value of the key, six hex digits: only it finds a wrong key. */
      readonly kcv: string;
    };

/** Longest time that a replaced zone key is accepted: a week. */
export const MAX_ZONE_KEY_OVERLAP_MS = 7 * 24 * 60 * 60 * 1000;

/** Why an operation could not be done; the message names fields, never contents. */
export type SecurityModuleErrorCode = keyof typeof SECURITY_MODULE_ERRORS;

/** A security module operation failed. */
export class SecurityModuleError extends CodedError<SecurityModuleErrorCode> {}
