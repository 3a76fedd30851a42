import { arqc, verifyArpcMethod1, verifyArpcMethod2 } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import { AC_ELEMENT_BYTES } from '@tillbridge/wire/crypto/emv/cvn-profiles.js';
import { atcDiversifier, commonSessionKey, visaSessionKey } from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { CSU, CSU_BYTES } from '@tillbridge/wire/emv/bit-fields.js';
import { hasBit } from '@tillbridge/wire/emv/bits.js';
import { isApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import type { CryptogramVersion } from '../core/application-profile.js';
import type { CardKeys } from '../core/card-keys.js';
import { type CardVerificationFacts, mchipIssuerData, visaIssuerData } from './issuer-application-data.js';

/** What the issuer ordered behind a true ARPC. */
interface IssuerDecision {
  readonly approved: boolean;
  readonly blockApplication: boolean;
}

/** The differences between the card schemes' cryptograms, everything else being common EMV. */
interface CryptogramScheme {
  /** Tag 9F10, and the part of it that the cryptogram covers. */
  issuerData(facts: CardVerificationFacts): { readonly iad: Buffer; readonly covered: Buffer };
  /**
   * Checks tag 91 against the ARQC (EMV Book 2 §8.2); undefined when it is not the issuer's.
   * @param responseCode tag 8A as the terminal gave it, where it did
   */
  verifyIssuer(
    sessionKey: Uint8Array,
    requestCryptogram: Uint8Array,
    issuerAuthenticationData: Uint8Array,
    responseCode: Uint8Array | undefined,
  ): IssuerDecision | undefined;
  /** Key of the MAC over issuer script commands. */
  scriptMacKey(keys: CardKeys, atc: Uint8Array, requestCryptogram: Uint8Array): Buffer;
}

const visaCvn18: CryptogramScheme = {
  issuerData(facts) {
    const iad = visaIssuerData(facts);
    return { iad, covered: iad };
  },
  verifyIssuer(sessionKey, requestCryptogram, data) {
    if (data.length < 4 + CSU_BYTES || data.length > 16) return undefined;
    const csu = data.subarray(4, 4 + CSU_BYTES);
    const proprietary = data.subarray(4 + CSU_BYTES);
    if (!verifyArpcMethod2(sessionKey, requestCryptogram, csu, proprietary, data.subarray(0, 4)))
      return undefined;
    return { approved: hasBit(csu, CSU.issuerApproves), blockApplication: hasBit(csu, CSU.applicationBlock) };
  },
  scriptMacKey: (keys, atc) => visaSessionKey(keys.smi, atc),
};

const mchipCvn20: CryptogramScheme = {
  issuerData(facts) {
    const { iad, cvr } = mchipIssuerData(facts);
    return { iad, covered: cvr };
  },
  verifyIssuer(sessionKey, requestCryptogram, data, responseCode) {
    const code = data.length >= 10 ? data.subarray(8, 10) : responseCode;
    if (data.length < 8 || code?.length !== 2) return undefined;
    if (!verifyArpcMethod1(sessionKey, requestCryptogram, code, data.subarray(0, 8))) return undefined;
    return { approved: isApproval(Buffer.from(code).toString('latin1')), blockApplication: false };
  },
  scriptMacKey: (keys, _atc, requestCryptogram) => commonSessionKey(keys.smi, requestCryptogram),
};

const SCHEMES: Readonly<Record<CryptogramVersion, CryptogramScheme>> = { visaCvn18, mchipCvn20 };

/** The scheme of a cryptogram version. */
export function cryptogramScheme(version: CryptogramVersion): CryptogramScheme {
  return SCHEMES[version];
}

/**
 * An application cryptogram over what terminal and card know (EMV Book 2 §8.1).
 * @param values by tag; what is missing counts as zeros, as the card would see it
 */
export function applicationCryptogram(
  sessionKey: Uint8Array,
  values: ReadonlyMap<string, Uint8Array>,
  coveredIssuerData: Uint8Array,
): Buffer {
  const parts = [...AC_ELEMENT_BYTES].map(([tag, bytes]) => values.get(tag) ?? Buffer.alloc(bytes));
  return arqc(sessionKey, Buffer.concat([...parts, coveredIssuerData]), 'iso9797Method2');
}

/** Session key of one transaction's cryptograms (EMV Book 2 A1.3). */
export function cryptogramSessionKey(keys: CardKeys, atc: Uint8Array): Buffer {
  return commonSessionKey(keys.ac, atcDiversifier(atc));
}
