import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { belongsTo, detectBrand, findBrand } from '@tillbridge/wire/payment/brands.js';
import { isExpired } from '@tillbridge/wire/payment/expiry.js';
import type { ResultCode } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { ContentError } from '../../../kernel/api/content.js';
import type { CardData } from './requests.js';

/** The card data that is checked before the acquirer's authorization. */
interface CardToCheck {
  readonly pan: string;
  /** `paymentBrand` of the request. */
  readonly brand: string | undefined;
  /** Card data a person typed; its expiry and CVV are looked at. Absent for data of a terminal, which the issuer judges. */
  readonly typed?: CardData;
}

/** Brand of the card, or the result code of the rule it breaks. */
type CardVerdict = { readonly ok: true; readonly brand: string | null } | CardRefusal;

/** Why a card is refused, and the parameter at fault; none where a terminal has read the card. */
interface CardRefusal {
  readonly ok: false;
  readonly resultCode: ResultCode;
  readonly name?: string;
}

/**
 * Content rules of a card (docs/rest-api.md: content errors have codes of their own, they are no parameter errors).
 * @param nowMs wall clock, for the expiry month, which is valid to its last day
 */
export function checkCard({ pan, brand, typed }: CardToCheck, nowMs: number): CardVerdict {
  // What a terminal has read is in no field.
  if (!passesLuhn(pan)) return refuse('100.100.101', typed && 'card.number');
  const known = brand === undefined ? detectBrand(pan) : findBrand(brand);
  if (brand !== undefined && !known) return refuse('100.100.501', 'paymentBrand');
  if (brand !== undefined && known && !belongsTo(known, pan)) return refuse('100.100.700', 'paymentBrand');
  if (!typed) return { ok: true, brand: known?.key ?? null };
  if (!known) return refuse('100.100.500', 'paymentBrand');
  if (isExpired(typed, nowMs)) return refuse('100.100.303', 'card.expiryYear');
  if (typed.cvv !== undefined && typed.cvv.length !== known.cvvLength)
    return refuse('100.100.601', 'card.cvv');
  return { ok: true, brand: known.key };
}

/** The refusal as one of a value that was sent; its code alone where no parameter is at fault. */
export function refusedCard({ resultCode: code, name }: CardRefusal): ContentError | string {
  return name === undefined ? code : { code, name };
}

function refuse(code: ResultCode, name: string | undefined): CardVerdict {
  return { ok: false, resultCode: code, ...present({ name }) };
}
