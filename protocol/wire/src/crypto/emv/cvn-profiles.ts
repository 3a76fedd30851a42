import { CryptoError } from '../ciphers/errors.js';
import { arpcMethod1, arpcMethod2, type CryptogramPadding } from './cryptogram.js';
import {
  atcDiversifier,
  atcUnDiversifier,
  commonSessionKey,
  deriveIccMasterKey,
  type IccMasterKeyOption,
} from './emv-keys.js';
import { type PinScriptStyle, type ScriptSessionKey, scriptSessionKey } from './issuer-scripts.js';

/** The cryptogram versions of the schemes, numbers decimal as their names. */
export type CvnName =
  | 'visaCvn10'
  | 'visaCvn17'
  | 'visaCvn18'
  | 'visaCvn22'
  | 'interacCvn133'
  | 'mastercardCvn16'
  | 'mastercardCvn17'
  | 'mastercardCvn20'
  | 'mastercardCvn21';

/** Everything that differs between cryptogram versions on the issuer's side. */
export interface CvnProfile {
  readonly iccMasterKey: IccMasterKeyOption;
  /** Session key of the application cryptogram: none, or the common one over ATC, or over ATC and unpredictable number. */
  readonly acSessionKey: 'none' | 'atc' | 'atcUn';
  readonly padding: CryptogramPadding;
  readonly arpcMethod: 'method1' | 'method2';
  readonly arpcKey: 'iccMasterKey' | 'sessionKey';
  readonly scriptSessionKey: ScriptSessionKey;
  readonly pinScript: PinScriptStyle;
  readonly newPinWithoutCurrent?: 'format2';
  /** Tags of the cryptogram's input, in order; what follows them (IAD, CVR, counters) is the version's own. */
  readonly acTags: readonly string[];
}

/** Tags of a full cryptogram in order (EMV Book 2 §8.1.1 as the schemes use it), with their bytes (EMV Book 3 Annex A). */
export const AC_ELEMENT_BYTES: ReadonlyMap<string, number> = new Map([
  ['9F02', 6],
  ['9F03', 6],
  ['9F1A', 2],
  ['95', 5],
  ['5F2A', 2],
  ['9A', 3],
  ['9C', 1],
  ['9F37', 4],
  ['82', 2],
  ['9F36', 2],
]);
const FULL_AC_TAGS: readonly string[] = [...AC_ELEMENT_BYTES.keys()];
/** Tags of Visa's short contactless cryptogram. */
const SHORT_AC_TAGS: readonly string[] = ['9F02', '9F37', '9F36'];

const VISA = {
  scriptSessionKey: 'visaSecureMessaging',
  pinScript: 'visa',
  acTags: FULL_AC_TAGS,
} as const;

const MASTERCARD = {
  iccMasterKey: 'optionA',
  padding: 'iso9797Method2',
  arpcMethod: 'method1',
  scriptSessionKey: 'emvCommonSessionKey',
  pinScript: 'mastercard',
  acTags: FULL_AC_TAGS,
} as const;

const VISA_10: CvnProfile = {
  ...VISA,
  iccMasterKey: 'optionA',
  acSessionKey: 'none',
  padding: 'iso9797Method1',
  arpcMethod: 'method1',
  arpcKey: 'iccMasterKey',
};

const VISA_18: CvnProfile = {
  ...VISA,
  iccMasterKey: 'optionB',
  acSessionKey: 'atc',
  padding: 'iso9797Method2',
  arpcMethod: 'method2',
  arpcKey: 'sessionKey',
};

/** The table of the cryptogram versions. */
export const CVN_PROFILES: Readonly<Record<CvnName, CvnProfile>> = {
  visaCvn10: VISA_10,
  visaCvn17: { ...VISA_10, acTags: SHORT_AC_TAGS },
  visaCvn18: VISA_18,
  visaCvn22: { ...VISA_18, scriptSessionKey: 'emvCommonSessionKey', newPinWithoutCurrent: 'format2' },
  interacCvn133: { ...MASTERCARD, acSessionKey: 'atcUn', arpcKey: 'sessionKey' },
  mastercardCvn16: { ...MASTERCARD, acSessionKey: 'atcUn', arpcKey: 'iccMasterKey' },
  mastercardCvn17: { ...MASTERCARD, acSessionKey: 'atcUn', arpcKey: 'iccMasterKey' },
  mastercardCvn20: { ...MASTERCARD, acSessionKey: 'atc', arpcKey: 'sessionKey' },
  mastercardCvn21: { ...MASTERCARD, acSessionKey: 'atc', arpcKey: 'sessionKey' },
};

/**
 * Input of the cryptogram: the version's tags in order, then what the card adds.
 * @param suffix IAD or CVR, then counters; for Visa 17 byte 5 of the IAD
 * @throws CryptoError badArgument naming the tag that is missing
 */
export function acData(
  profile: CvnProfile,
  lookup: (tag: string) => Uint8Array | undefined,
  suffix: Uint8Array,
): Buffer {
  const values = profile.acTags.map((tag) => {
    const value = lookup(tag);
    if (value === undefined) throw new CryptoError('badArgument', `tag ${tag} is missing for the cryptogram`);
    return value;
  });
  return Buffer.concat([...values, suffix]);
}

/** The three ICC keys of one card. */
interface IccKeys {
  readonly ac: Buffer;
  readonly smi: Buffer;
  readonly smc: Buffer;
}

/** The issuer master keys of one card range, 16 bytes each. */
interface IssuerMasterKeys {
  readonly imkAc: Uint8Array;
  readonly imkSmi: Uint8Array;
  readonly imkSmc: Uint8Array;
}

/**
 * The ICC keys by the version's option.
 * @throws CryptoError badKeyLength, badPan, badArgument
 */
export function iccKeys(profile: CvnProfile, keys: IssuerMasterKeys, pan: string, psn: string): IccKeys {
  const option = profile.iccMasterKey;
  return {
    ac: deriveIccMasterKey(keys.imkAc, pan, psn, option),
    smi: deriveIccMasterKey(keys.imkSmi, pan, psn, option),
    smc: deriveIccMasterKey(keys.imkSmc, pan, psn, option),
  };
}

/**
 * The key of the application cryptogram; a copy, so that it can be wiped apart from the ICC key.
 * @throws CryptoError badKeyLength, badArgument
 */
export function acSessionKey(
  profile: CvnProfile,
  iccMkAc: Uint8Array,
  atc: Uint8Array,
  un: Uint8Array,
): Buffer {
  if (profile.acSessionKey === 'none') return Buffer.from(iccMkAc);
  const r = profile.acSessionKey === 'atc' ? atcDiversifier(atc) : atcUnDiversifier(atc, un);
  return commonSessionKey(iccMkAc, r);
}

/** The keys of secure messaging, from the ICC keys, the counter and the cryptogram of the transaction. */
export function scriptKeys(
  profile: CvnProfile,
  keys: Pick<IccKeys, 'smi' | 'smc'>,
  atc: Uint8Array,
  arqc: Uint8Array,
): { skSmi: Buffer; skSmc: Buffer } {
  const diversifier = profile.scriptSessionKey === 'visaSecureMessaging' ? atc : arqc;
  return {
    skSmi: scriptSessionKey(profile.scriptSessionKey, keys.smi, diversifier),
    skSmc: scriptSessionKey(profile.scriptSessionKey, keys.smc, diversifier),
  };
}

/** What the issuer puts into its answer. */
export interface IssuerAnswer {
  /** Authorisation response code, 2 bytes; method 1. */
  readonly arc?: Uint8Array;
  /** Card status update, 4 bytes; method 2. */
  readonly csu?: Uint8Array;
  /** Proprietary authentication data, up to 8 bytes; method 2. */
  readonly proprietary?: Uint8Array;
}

/**
 * The ARPC by the version's method and key.
 * @throws CryptoError badKeyLength, badArgument
 */
export function profileArpc(
  profile: CvnProfile,
  iccMkAc: Uint8Array,
  skAc: Uint8Array,
  arqc: Uint8Array,
  answer: IssuerAnswer,
): Buffer {
  const key = profile.arpcKey === 'iccMasterKey' ? iccMkAc : skAc;
  if (profile.arpcMethod === 'method1') {
    if (answer.arc === undefined)
      throw new CryptoError('badArgument', 'ARPC method 1 needs the response code');
    return arpcMethod1(key, arqc, answer.arc);
  }
  if (answer.csu === undefined)
    throw new CryptoError('badArgument', 'ARPC method 2 needs the card status update');
  return arpcMethod2(key, arqc, answer.csu, answer.proprietary);
}
