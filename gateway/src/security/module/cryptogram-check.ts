import { AC_ELEMENT_BYTES, acData } from '@tillbridge/protocol/crypto/emv/cvn-profiles.js';
import { IssuerEngine } from '@tillbridge/protocol/crypto/emv/issuer-engine.js';
import { decisionCsu } from '@tillbridge/protocol/emv/bit-fields.js';
import { cryptogramType } from '@tillbridge/protocol/emv/cid.js';
import { readIad } from '@tillbridge/protocol/emv/iad.js';
import { decodeTlv, encodeTlv, findTlv, TlvError, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { type KeyStore, requireKey } from '../keys/key-store.js';
import { type CryptogramProfile, cryptogramProfile } from './cryptogram-profiles.js';
import { type ArqcRequest, type ArqcVerdict, SecurityModuleError } from './security-module.js';

/** Tags that a terminal without the feature leaves out; the card then had zeros. */
const OPTIONAL: ReadonlySet<string> = new Set(['9F03']);
/** Response codes by which an issuer approves. */
const APPROVALS: ReadonlySet<string> = new Set(['00', '08', '10', '11']);

interface CardCryptogram {
  readonly cryptogram: Uint8Array;
  readonly atc: Uint8Array;
  readonly un: Uint8Array;
  readonly profile: CryptogramProfile;
  /** Everything under the cryptogram. */
  readonly covered: Uint8Array;
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
  return verdict(store, request, card, expected);
}

function verdict(
  store: KeyStore,
  { pan, panSequenceNumber, responseCode }: ArqcRequest,
  { cryptogram, atc, un, profile, covered }: CardCryptogram,
  expected: 'ARQC' | 'TC',
): ArqcVerdict {
  const transaction = { profile: profile.cvn, pan, psn: panSequenceNumber, atc, un, acData: covered };
  const answer = { arc: Buffer.from(responseCode, 'latin1'), csu: decisionCsu(APPROVALS.has(responseCode)) };
  // The master key makes the card's key wherever it is; the card's key lives for this transaction.
  const { valid, arpc } = store.operate(requireKey(store, 'imk-ac', pan), (imk) =>
    new IssuerEngine(imk.encrypt).verify(transaction, answer, cryptogram),
  );
  if (!valid) return { valid: false, reason: 'the cryptogram is not the card’s' };
  if (expected === 'TC') return { valid: true };
  // Issuer authentication data: the ARPC, and behind it what it protects (EMV Book 2 §8.2).
  const behind = profile.cvn.arpcMethod === 'method1' ? answer.arc : answer.csu;
  return { valid: true, iccDataResponse: encodeTlv([tlv('91', Buffer.concat([arpc, behind]))]) };
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
  const [cryptogram, cid, iad] = ['9F26', '9F27', '9F10'].map((tag) => findTlv(nodes, tag));
  if (cryptogram?.length !== 8 || cid?.length !== 1 || iad === undefined)
    return 'tag 9F26, 9F27 or 9F10 is missing';
  if (cryptogramType(cid[0] ?? 0) !== expected) return `tag 9F27 says another cryptogram than ${expected}`;
  const parts = readIad(iad);
  const profile = parts && cryptogramProfile(parts);
  if (!parts || !profile) return 'tag 9F10 has an unknown cryptogram version';
  const values = elements(nodes, profile.cvn.acTags);
  if (typeof values === 'string') return values;
  const covered = acData(profile.cvn, (tag) => values.get(tag), profile.coveredIssuerData(iad, parts));
  const [atc, un] = [values.get('9F36'), values.get('9F37')];
  if (atc === undefined || un === undefined) return 'tag 9F36 or 9F37 is missing';
  return { cryptogram, atc, un, profile, covered };
}

function elements(
  nodes: readonly TlvNode[],
  tags: readonly string[],
): ReadonlyMap<string, Uint8Array> | string {
  const values = new Map<string, Uint8Array>();
  for (const tag of tags) {
    const bytes = AC_ELEMENT_BYTES.get(tag) ?? 0;
    const value = findTlv(nodes, tag) ?? (OPTIONAL.has(tag) ? Buffer.alloc(bytes) : undefined);
    if (value?.length !== bytes) return `tag ${tag} is missing or not ${bytes} bytes`;
    values.set(tag, value);
  }
  return values;
}
