import { arpcMethod1, arpcMethod2, type CryptogramPadding } from '@tillbridge/protocol/crypto/cryptogram.js';
import type { IccMasterKeyOption } from '@tillbridge/protocol/crypto/emv-keys.js';
import { decisionCsu } from '@tillbridge/protocol/emv/csu.js';
import type { Iad, IadFormat } from '@tillbridge/protocol/emv/iad.js';

/** How an issuer checks the cryptograms of one cryptogram version, and answers them. All of them use the EMV common session key. */
export interface CryptogramProfile {
  readonly name: 'visaCvn18' | 'mchipCvn20';
  readonly masterKeyOption: IccMasterKeyOption;
  readonly padding: CryptogramPadding;
  /** The part of tag 9F10 that stands behind the common elements under the cryptogram. */
  readonly coveredIssuerData: (iad: Uint8Array, parts: Iad) => Uint8Array;
  /** Tag 91 for the card. */
  readonly issuerAuthenticationData: (
    sessionKey: Uint8Array,
    requestCryptogram: Uint8Array,
    responseCode: string,
  ) => Buffer;
}

/** Response codes by which an issuer approves. */
const APPROVALS: ReadonlySet<string> = new Set(['00', '08', '10', '11']);

/** Visa CVN 18: all of 9F10 is covered; ARPC method 2 with a card status update. */
const visaCvn18: CryptogramProfile = {
  name: 'visaCvn18',
  masterKeyOption: 'optionB',
  padding: 'iso9797Method2',
  coveredIssuerData: (iad) => iad,
  issuerAuthenticationData: (sessionKey, requestCryptogram, responseCode) => {
    const csu = decisionCsu(APPROVALS.has(responseCode));
    return Buffer.concat([arpcMethod2(sessionKey, requestCryptogram, csu), csu]);
  },
};

/** M/Chip CVN 20: the card verification results are covered; ARPC method 1, the response code behind it. */
const mchipCvn20: CryptogramProfile = {
  name: 'mchipCvn20',
  masterKeyOption: 'optionA',
  padding: 'iso9797Method2',
  coveredIssuerData: (_iad, parts) => parts.cvr,
  issuerAuthenticationData: (sessionKey, requestCryptogram, responseCode) => {
    const arc = Buffer.from(responseCode, 'latin1');
    return Buffer.concat([arpcMethod1(sessionKey, requestCryptogram, arc), arc]);
  },
};

interface Row {
  readonly format: IadFormat;
  readonly cryptogramVersion: number;
  readonly profile: CryptogramProfile;
}

const ROWS: readonly Row[] = [
  { format: 'visa', cryptogramVersion: 0x12, profile: visaCvn18 },
  { format: 'mchip', cryptogramVersion: 0x14, profile: mchipCvn20 },
];

/** The profile that tag 9F10 asks for; undefined for versions that this issuer does not issue. */
export function cryptogramProfile(parts: Iad): CryptogramProfile | undefined {
  return ROWS.find((row) => row.format === parts.format && row.cryptogramVersion === parts.cryptogramVersion)
    ?.profile;
}
