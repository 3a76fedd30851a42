import { TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { type Bit, hasBit } from '@tillbridge/wire/emv/bits.js';
import { readCvmResults } from '@tillbridge/wire/emv/cvm-results.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import type { CardData } from '../../drivers/core/driver.js';
import type { CardVerification } from './offline-policy.js';

/** How a card's holder was verified, as far as that matters without the issuer. */
type CardholderVerdict = CardVerification | 'online-pin' | 'failed';

/** Codes of tag 9F34, the "apply next" bit aside; what the chip compares counts as its PIN (EMV Book 3 Annex C3). */
const VERIFICATIONS: Readonly<Record<number, CardVerification>> = {
  1: 'offline-pin',
  3: 'offline-pin',
  4: 'offline-pin',
  5: 'offline-pin',
  6: 'offline-pin',
  8: 'offline-pin',
  10: 'offline-pin',
  12: 'offline-pin',
  14: 'offline-pin',
  30: 'signature',
};
const ONLINE_CODES: ReadonlySet<number> = new Set([2, 7, 9, 11, 13, 15]);
const CVM_METHOD_MASK = 0x3f;
/** Tag 9F6C byte 2: the holder's own device verified the holder (VCPS, card transaction qualifiers). */
const CTQ_DEVICE_CVM = 0x80;

/** TVR bits of a card that may be forged: its sale must not be deferred on an unchecked ARQC (EMV Book 3 Annex C5). */
const DOUBTS: readonly Bit[] = [
  TVR.sdaFailed,
  TVR.ddaFailed,
  TVR.cdaFailed,
  TVR.iccDataMissing,
  TVR.exceptionFile,
  TVR.expiredApplication,
  TVR.applicationNotYetEffective,
  TVR.serviceNotAllowed,
  TVR.unrecognisedCvm,
  TVR.pinTryLimitExceeded,
  TVR.pinPadNotWorking,
  TVR.pinNotEntered,
];

/** How the holder was verified, by what the terminal gave with the first cryptogram. */
export function cardholderVerdict(card: CardData): CardholderVerdict {
  const tags = readTags(card.iccData);
  const cvm = readCvmResults(tags.get('9F34') ?? NONE);
  const tvr = tags.get('95') ?? NONE;
  const method = cvm && cvm.code & CVM_METHOD_MASK;
  const online = method !== undefined && ONLINE_CODES.has(method);
  const pinGiven = card.pin !== undefined || card.pinInside === true;
  if (pinGiven || online || hasBit(tvr, TVR.onlinePinEntered)) return 'online-pin';
  if (cvm?.outcome === 'failed' || hasBit(tvr, TVR.cardholderVerificationFailed)) return 'failed';
  const tapped = card.facts.entryMode === 'NFC_ICC';
  if (tapped && ((tags.get('9F6C')?.[1] ?? 0) & CTQ_DEVICE_CVM) !== 0) return 'device';
  const verification = VERIFICATIONS[method ?? 0] ?? 'none';
  // A tap shows no PIN pad to the chip: "PIN by the ICC" is what the holder's device has compared (EMV Book C-2).
  return tapped && verification === 'offline-pin' ? 'device' : verification;
}

/** Whether the terminal found something wrong with the card that only its issuer can judge. */
export function isDoubtful(card: CardData): boolean {
  const tvr = readTags(card.iccData).get('95') ?? NONE;
  return DOUBTS.some((doubt) => hasBit(tvr, doubt));
}

const NONE = new Uint8Array();
const TAGS = ['95', '9F34', '9F6C'] as const;

function readTags(iccData: Uint8Array): ReadonlyMap<string, Uint8Array> {
  try {
    const nodes = decodeTlv(iccData);
    return new Map(TAGS.flatMap((tag) => [[tag, findTlv(nodes, tag) ?? NONE] as const]));
  } catch {
    // A terminal's own formatting fault must not turn a decided sale into an undecided one.
    return new Map();
  }
}
