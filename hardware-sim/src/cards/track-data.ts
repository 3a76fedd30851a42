import { DEVELOPMENT_PVKI } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { cvv, icvv, pvv } from '@tillbridge/wire/crypto/pin/card-values.js';
import { compressedNumeric } from '@tillbridge/wire/emv/compressed-numeric.js';
import { simulatorKey } from '../keys/simulator-keys.js';
import type { MagstripeTracks } from './core/card.js';

/** What track data is made of. */
export interface TrackInput {
  readonly pan: string;
  /** `YYMM`. */
  readonly expiry: string;
  readonly serviceCode: string;
  /** `SURNAME/GIVEN`. */
  readonly cardholderName: string;
  /** Cards without a PIN carry zeros in place of PVKI and PVV. */
  readonly pin?: string;
}

/** PVKI and PVV as the issuer placed them, ahead of the verification value. */
function pinVerificationDigits(input: TrackInput): string {
  if (input.pin === undefined) return '00000';
  return DEVELOPMENT_PVKI + pvv(simulatorKey('pvk'), DEVELOPMENT_PVKI, input.pan, input.pin);
}

/** The magstripe: discretionary data is PVKI, PVV and CVV (ISO/IEC 7813). */
export function magstripeTracks(input: TrackInput): MagstripeTracks {
  const { pan, expiry, serviceCode } = input;
  const discretionary = pinVerificationDigits(input) + cvv(simulatorKey('cvk'), pan, expiry, serviceCode);
  return {
    track1: `B${pan}^${input.cardholderName}^${expiry}${serviceCode}${discretionary}`,
    track2: `${pan}=${expiry}${serviceCode}${discretionary}`,
  };
}

/** Track 2 equivalent data, tag 57: as the magstripe, but with the iCVV, `D` as separator and `F` to a whole byte. */
export function track2Equivalent(input: TrackInput): Buffer {
  const { pan, expiry, serviceCode } = input;
  const digits = `${pan}D${expiry}${serviceCode}${pinVerificationDigits(input)}${icvv(simulatorKey('cvk'), pan, expiry)}`;
  return compressedNumeric(digits);
}
