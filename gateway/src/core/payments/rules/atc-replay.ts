import { panSequenceNumber } from '@tillbridge/wire/emv/pan-sequence-number.js';
import { decodeTlv, findTlv, TlvError } from '@tillbridge/wire/emv/tlv.js';
import type { UsedAtcRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import type { PaymentRequest } from './requests.js';
import { saleOf } from './sale-of.js';

/** Result code of a card's cryptogram that another sale has used. */
export const REPLAY_CODE = '800.110.100';

/** One use of a card. Its counter rises with every transaction, so one value belongs to one sale (EMV Book 2 §8.1, tag 9F36). */
export type UsedAtc = Pick<UsedAtcRow, 'card' | 'counter' | 'sale' | 'paymentId'>;

/** The use that a request makes of a card; undefined where no chip counted: typed and magstripe data. */
export function usedAtcOf(
  fingerprint: Fingerprint,
  request: PaymentRequest,
  pan: string,
  paymentId: string,
): UsedAtc | undefined {
  const { pos } = request;
  const iccData = pos?.iccData;
  const counter = iccData && counterOf(iccData);
  if (iccData === undefined || counter === undefined) return undefined;
  const sequenceNumber = panSequenceNumber(pos?.panSequenceNumber, iccData);
  return {
    card: fingerprint('card', `${pan}/${sequenceNumber}`),
    counter,
    sale: saleOf(request, paymentId),
    paymentId,
  };
}

/** Tag 9F36; undefined where it is missing, or the data are no TLV at all: the issuer refuses such data. */
function counterOf(iccData: Uint8Array): number | undefined {
  try {
    const value = findTlv(decodeTlv(iccData), '9F36');
    return value?.length === 2 ? Buffer.from(value).readUInt16BE() : undefined;
  } catch (error) {
    if (error instanceof TlvError) return undefined;
    throw error;
  }
}

/** The change that takes the card's counter for the sale, or the payment of another sale that has it. Pure. */
export function checkAtcReplay(
  stored: UsedAtcRow | undefined,
  wanted: UsedAtc,
  nowMs: number,
): { readonly free: true; readonly change: Change } | { readonly free: false; readonly heldBy: string } {
  if (!stored) {
    const row: UsedAtcRow = { ...wanted, createdAtMs: nowMs, version: 1 };
    return { free: true, change: { op: 'insert', table: 'usedAtcs', row } };
  }
  if (stored.sale !== wanted.sale) return { free: false, heldBy: stored.paymentId };
  const row: UsedAtcRow = { ...stored, paymentId: wanted.paymentId };
  return { free: true, change: { op: 'update', table: 'usedAtcs', row } };
}

/** For the log: whose use of a card it was. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';

  constructor({ counter, paymentId }: UsedAtc, heldBy: string) {
    super(`payment ${paymentId} uses counter ${counter} of a card that payment ${heldBy} has used`);
  }
}
