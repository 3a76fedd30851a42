import { decodeTlv, encodeTlv, tlv } from '../emv/tlv.js';
import { type Money, smallestShown } from '../payment/money.js';
import { findTestCard, type IssuerBehaviour } from '../payment/test-cards.js';

/** Cards that are in no table are ours too, and good for any amount: developers use their own card numbers. */
const UNKNOWN_CARD: IssuerBehaviour = { kind: 'approve' };

/** What the simulated issuer does with a card. */
export function behaviourOf(pan: string): IssuerBehaviour {
  return findTestCard(pan)?.behaviour ?? UNKNOWN_CARD;
}

/** Whether a chip must have given a cryptogram in an entry mode (`pos.entryMode`). */
export function isChip(entryMode: string): boolean {
  return entryMode === 'ICC' || entryMode === 'NFC_ICC';
}

/** PVKI and PVV: the five digits behind expiry and service code; a zero index means the card has no PIN. */
export function pinVerificationValues(track2: string): { pvki: string; pvv: string } | undefined {
  const match = /^\d{8,19}[D=]\d{7}([1-9])(\d{4})/.exec(track2);
  return match ? { pvki: match[1] ?? '', pvv: match[2] ?? '' } : undefined;
}

/** The same answer with the first byte of the ARPC turned over: the card will not believe it. @throws TlvError */
export function withWrongArpc(iccDataResponse: Uint8Array): Buffer {
  const nodes = decodeTlv(iccDataResponse).map((node) => {
    if (node.tag !== '91' || !('value' in node)) return node;
    const value = Buffer.from(node.value);
    value[0] = (value[0] ?? 0) ^ 0xff;
    return tlv('91', value);
  });
  return encodeTlv(nodes);
}

/** The approval code that no issuer has given: what a till enters in a test to see it refused. */
const UNKNOWN_APPROVAL_CODE = '000000';

/** The amount of a request to the issuer. */
interface AmountRequest {
  readonly amount: Money;
  /** An advice: it has happened already, and the issuer only records it. */
  readonly isAdvice: boolean;
  readonly partialAllowed?: boolean | undefined;
  /** The issuer gave this code on the phone. */
  readonly approvalCode?: string | undefined;
}

/** Response code of the issuer once card and cardholder are right: `00`, `01`, `05`, `10` or `51`. */
export function decideAmount(
  { amount, isAdvice, partialAllowed, approvalCode }: AmountRequest,
  behaviour: IssuerBehaviour,
): '00' | '01' | '05' | '10' | '51' {
  if (approvalCode !== undefined) return approvalCode === UNKNOWN_APPROVAL_CODE ? '05' : '00';
  if (isAdvice) return '00';
  if (behaviour.kind === 'refer') return '01';
  if (behaviour.kind !== 'approve-half' || halfOf(amount) === 0) return '00';
  return partialAllowed ? '10' : '51';
}

/** What an issuer approves that has half of an amount, in minor units that two decimals show. */
export function halfOf({ minor, currency }: Money): number {
  const smallest = smallestShown(currency);
  return Math.floor(minor / (2 * smallest)) * smallest;
}
