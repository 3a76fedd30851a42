import { decisionCsu } from '../../emv/bit-fields.js';
import { cryptogramType } from '../../emv/cid.js';
import { readIad } from '../../emv/iad.js';
import { encodeTlv, findTlv, type TlvNode, tlv } from '../../emv/tlv.js';
import { isApproval } from '../../iso8583/exchange/approvals.js';
import { type CryptogramProfile, cryptogramProfile } from './cryptogram-profiles.js';
import { AC_ELEMENT_BYTES, acData } from './cvn-profiles.js';
import type { IssuerEngine } from './issuer-engine.js';

/** Tags that a terminal without the feature leaves out; the card then had zeros. */
const OPTIONAL: ReadonlySet<string> = new Set(['9F03']);

/** An application cryptogram and everything that it covers. */
export interface CardCryptogram {
  readonly cryptogram: Uint8Array;
  readonly atc: Uint8Array;
  readonly un: Uint8Array;
  readonly profile: CryptogramProfile;
  /** Everything under the cryptogram. */
  readonly covered: Uint8Array;
}

/** The parts of a cryptogram of the expected type, or the reason why there is none to check. */
export function readCardCryptogram(
  nodes: readonly TlvNode[],
  expected: 'ARQC' | 'TC',
): CardCryptogram | string {
  const [cryptogram, cid, iad] = ['9F26', '9F27', '9F10'].map((tag) => findTlv(nodes, tag));
  if (cryptogram?.length !== 8 || cid?.length !== 1 || iad === undefined)
    return 'tag 9F26, 9F27 or 9F10 is missing';
  if (cryptogramType(cid[0] ?? 0) !== expected) return `tag 9F27 names another cryptogram than ${expected}`;
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

/** The card and the decision that its issuer answers. */
interface CardAndDecision {
  readonly pan: string;
  /** Two digits. */
  readonly panSequenceNumber: string;
  /** Two letters or digits. */
  readonly responseCode: string;
}

/**
 * Whether the cryptogram is the card's, and tag 91 with the issuer's answer; undefined when it is not.
 * @throws CryptoError badPan, badArgument
 */
export function answerCryptogram(
  engine: Pick<IssuerEngine, 'verify'>,
  { pan, panSequenceNumber, responseCode }: CardAndDecision,
  { cryptogram, atc, un, profile, covered }: CardCryptogram,
): Buffer | undefined {
  const transaction = { profile: profile.cvn, pan, psn: panSequenceNumber, atc, un, acData: covered };
  const answer = { arc: Buffer.from(responseCode, 'latin1'), csu: decisionCsu(isApproval(responseCode)) };
  const { valid, arpc } = engine.verify(transaction, answer, cryptogram);
  if (!valid) return undefined;
  // Issuer authentication data: the ARPC, and behind it what it protects (EMV Book 2 §8.2).
  const behind = profile.cvn.arpcMethod === 'method1' ? answer.arc : answer.csu;
  return encodeTlv([tlv('91', Buffer.concat([arpc, behind]))]);
}
