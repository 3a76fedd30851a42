/**
 * The security module: everything that needs a key happens behind these operations, and no key byte ever comes out.
 *
 * Operations are asynchronous because a hardware module answers over a wire. All byte arrays handed in stay the caller's; clear account
 * data that comes out lives in memory only.
 */
export interface SecurityModule {
  /**
   * Deciphers account data of a terminal (SRED, X9.24-1 data encryption request key).
   * @throws SecurityModuleError `unknown-key` (no base key for the KSN), `bad-data` (not account data after deciphering)
   */
  decryptAccountData(request: DecryptAccountDataRequest): Promise<AccountData>;
  /** Issuer side: checks the application cryptogram and makes the answer for the card (EMV Book 2 §8.1, §8.2). */
  verifyArqcAndMakeArpc(request: ArqcRequest): Promise<ArqcVerdict>;
  /**
   * Takes an ISO 9564 format 0 PIN block from the terminal's DUKPT key to a zone key; the PIN is never seen.
   * @throws SecurityModuleError `unknown-key`, `bad-data`
   */
  translatePin(request: TranslatePinRequest): Promise<TranslatedPin>;
  /** Issuer side: checks a translated PIN against the PIN verification value (PVV method). Constant time. */
  verifyPin(request: VerifyPinRequest): Promise<boolean>;
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
}

/** What stands in `pos.encryptedSred` (spec 2.3) and how to read it. */
export interface DecryptAccountDataRequest {
  /** Names the layout and cipher; the terminal's `pos.deviceType`, or `default` where none was sent. */
  readonly profile: string;
  readonly ksn: Uint8Array;
  readonly data: Uint8Array;
  /** `YYMM` from tag 5F24, for devices that send the PAN alone. */
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

/** A PIN block of a terminal (spec 2.3 `pos.encryptedPin`). */
export interface TranslatePinRequest {
  readonly ksn: Uint8Array;
  readonly pinBlock: Uint8Array;
  readonly pan: string;
  /** Acquirer that the PIN is for; INTERNAL when absent. */
  readonly zone?: string;
}

/** A PIN block under the acquirer's zone PIN key; opaque to everyone but a security module. */
export interface TranslatedPin {
  /** Name of the zone key. */
  readonly zoneKey: string;
  readonly pinBlock: Uint8Array;
}

/** A PIN to check against the PIN verification value. */
export interface VerifyPinRequest {
  readonly pin: TranslatedPin;
  readonly pan: string;
  /** PIN verification key index, one digit. */
  readonly pvki: string;
  /** Four digits. */
  readonly pvv: string;
}

/** Why an operation could not be done; the message names fields, never contents. */
export type SecurityModuleErrorCode = 'unknown-key' | 'bad-data' | 'unavailable';

/** A security module operation failed. */
export class SecurityModuleError extends Error {
  override readonly name = 'SecurityModuleError';
  readonly code: SecurityModuleErrorCode;

  constructor(code: SecurityModuleErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
