import type { Iad, IadFormat } from '../../emv/iad.js';
import { CVN_PROFILES, type CvnName, type CvnProfile } from './cvn-profiles.js';

/** How an issuer checks the cryptograms of one cryptogram version. */
export interface CryptogramProfile {
  readonly name: CvnName;
  readonly cvn: CvnProfile;
  /** The part of tag 9F10 that stands behind the common elements under the cryptogram. */
  readonly coveredIssuerData: (iad: Uint8Array, parts: Iad) => Uint8Array;
}

type Covered = CryptogramProfile['coveredIssuerData'];

const WHOLE: Covered = (iad) => iad;
const CVR: Covered = (_iad, { cvr }) => cvr;
/** The byte behind the length of the card verification results: what Visa's short cryptogram has of them. */
const FIFTH_BYTE: Covered = (iad) => iad.subarray(4, 5);
/** Card verification results, then the card's counters. */
const CVR_AND_COUNTERS: Covered = (_iad, { cvr, rest }) => Buffer.concat([cvr, rest]);

type Row = readonly [format: IadFormat, version: number, name: CvnName, coveredIssuerData: Covered];

/** By the layout of tag 9F10 and its cryptogram version byte: M/Chip counts in decimal (0x10 is 16), Visa's 0x0A is version 10. */
const ROWS: readonly Row[] = [
  ['visa', 0x0a, 'visaCvn10', CVR],
  ['visa', 0x11, 'visaCvn17', FIFTH_BYTE],
  ['visa', 0x12, 'visaCvn18', WHOLE],
  ['visaFormat2', 0x22, 'visaCvn22', WHOLE],
  ['interac', 0x85, 'interacCvn133', WHOLE],
  ['mchip', 0x10, 'mastercardCvn16', CVR],
  ['mchip', 0x11, 'mastercardCvn17', CVR_AND_COUNTERS],
  ['mchip', 0x14, 'mastercardCvn20', CVR],
  ['mchip', 0x15, 'mastercardCvn21', CVR_AND_COUNTERS],
];

/** The profile that tag 9F10 requires; undefined for versions that no issuer here issues. */
export function cryptogramProfile(parts: Iad): CryptogramProfile | undefined {
  const row = ROWS.find(
    ([format, version]) => format === parts.format && version === parts.cryptogramVersion,
  );
  if (row === undefined) return undefined;
  const [, , name, coveredIssuerData] = row;
  return { name, cvn: CVN_PROFILES[name], coveredIssuerData };
}
