import { wipe } from '@tillbridge/protocol/bytes.js';
import { verifyArqc } from '@tillbridge/protocol/crypto/cryptogram.js';
import {
  atcDiversifier,
  commonSessionKey,
  deriveIccMasterKey,
} from '@tillbridge/protocol/crypto/emv-keys.js';
import { cryptogramType } from '@tillbridge/protocol/emv/cid.js';
import { type Iad, readIad } from '@tillbridge/protocol/emv/iad.js';
import { decodeTlv, encodeTlv, findTlv, TlvError, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { type CryptogramProfile, cryptogramProfile } from './cryptogram-profiles.js';
import { type KeyStore, requireKey } from './key-store.js';
import { type ArqcRequest, type ArqcVerdict, SecurityModuleError } from './security-module.js';

/** Tags under the cryptogram ahead of the issuer's data, and their bytes (EMV Book 2 §8.1.1, recommended minimum set). */
const COVERED: readonly (readonly [tag: string, bytes: number])[] = [
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
];
/** Tags that a terminal without the feature leaves out; the card then had zeros. */
const OPTIONAL: ReadonlySet<string> = new Set(['9F03']);

interface CardCryptogram {
  readonly cryptogram: Uint8Array;
  readonly atc: Uint8Array;
  readonly iad: Uint8Array;
  readonly parts: Iad;
  readonly profile: CryptogramProfile;
  /** The common elements, in order. */
  readonly common: Uint8Array;
}

/**
 * Checks the application cryptogram of a card and, for an ARQC, makes the issuer's answer. What a terminal sent wrongly (a missing tag, another
 * cryptogram type, an unknown version) is an invalid cryptogram, not an error: the issuer declines it.
 * @throws SecurityModuleError bad-data (no BER-TLV, a bad sequence number or response code); KeyStoreError noKey
 */
export function checkCryptogram(store: KeyStore, request: ArqcRequest): ArqcVerdict {
  if (!/^\d{2}$/.test(request.panSequenceNumber))
    throw new SecurityModuleError('bad-data', 'the PAN sequence number is not two digits');
  if (!/^[0-9A-Z]{2}$/.test(request.responseCode))
    throw new SecurityModuleError('bad-data', 'the response code is not two letters or digits');
  const expected = request.expect ?? 'ARQC';
  const card = readCryptogram(decode(request.iccData), expected);
  if (typeof card === 'string') return { valid: false, reason: card };
  return withSessionKey(store, request, card, (sessionKey) => verdict(sessionKey, card, request, expected));
}

function verdict(
  sessionKey: Uint8Array,
  card: CardCryptogram,
  request: ArqcRequest,
  expected: 'ARQC' | 'TC',
): ArqcVerdict {
  const { profile, iad, parts, common, cryptogram } = card;
  const data = Buffer.concat([common, profile.coveredIssuerData(iad, parts)]);
  if (!verifyArqc(sessionKey, data, profile.padding, cryptogram))
    return { valid: false, reason: 'the cryptogram is not the card’s' };
  if (expected === 'TC') return { valid: true };
  const answer = profile.issuerAuthenticationData(sessionKey, cryptogram, request.responseCode);
  return { valid: true, iccDataResponse: encodeTlv([tlv('91', answer)]) };
}

function decode(iccData: Uint8Array): readonly TlvNode[] {
  try {
    return decodeTlv(iccData);
  } catch (error) {
    if (error instanceof TlvError) throw new SecurityModuleError('bad-data', `iccData: ${error.message}`);
    throw error;
  }
}

/** The parts of a cryptogram, or the reason why there is none to check. */
function readCryptogram(nodes: readonly TlvNode[], expected: 'ARQC' | 'TC'): CardCryptogram | string {
  const values = new Map(
    ['9F26', '9F27', '9F10', ...COVERED.map(([tag]) => tag)].map((tag) => [tag, findTlv(nodes, tag)]),
  );
  const [cryptogram, cid, iad, atc] = ['9F26', '9F27', '9F10', '9F36'].map((tag) => values.get(tag));
  if (cryptogram?.length !== 8 || cid?.length !== 1 || iad === undefined || atc === undefined)
    return 'tag 9F26, 9F27, 9F10 or 9F36 is missing';
  if (cryptogramType(cid[0] ?? 0) !== expected) return `tag 9F27 says another cryptogram than ${expected}`;
  const parts = readIad(iad);
  const profile = parts && cryptogramProfile(parts);
  if (!parts || !profile) return 'tag 9F10 has an unknown cryptogram version';
  const common = commonElements(values);
  if (typeof common === 'string') return common;
  return { cryptogram, atc, iad, parts, profile, common };
}

function commonElements(values: ReadonlyMap<string, Uint8Array | undefined>): Buffer | string {
  const elements: Uint8Array[] = [];
  for (const [tag, bytes] of COVERED) {
    const value = values.get(tag) ?? (OPTIONAL.has(tag) ? Buffer.alloc(bytes) : undefined);
    if (value?.length !== bytes) return `tag ${tag} is missing or not ${bytes} bytes`;
    elements.push(value);
  }
  return Buffer.concat(elements);
}

function withSessionKey<T>(
  store: KeyStore,
  request: ArqcRequest,
  card: CardCryptogram,
  operation: (sessionKey: Uint8Array) => T,
): T {
  const { pan, panSequenceNumber } = request;
  const issuer = requireKey(store, 'imk-ac', pan);
  const cardKey = store.use(issuer, (imk) =>
    deriveIccMasterKey(imk, pan, panSequenceNumber, card.profile.masterKeyOption),
  );
  const sessionKey = commonSessionKey(cardKey, atcDiversifier(card.atc));
  try {
    return operation(sessionKey);
  } finally {
    wipe(cardKey, sessionKey);
  }
}
