import { passesLuhn } from '@tillbridge/protocol/mask/luhn.js';
import { belongsTo, detectBrand, findBrand } from '@tillbridge/protocol/payment/brands.js';
import { isExpired } from '@tillbridge/protocol/payment/expiry.js';
import type { CardData } from './requests.js';

/** The card data that is checked before the acquirer is asked. */
export interface CardToCheck {
  readonly pan: string;
  /** `paymentBrand` of the request. */
  readonly brand: string | undefined;
  /** Card data a person typed; its expiry and CVV are looked at. Absent for data of a terminal, which the issuer judges. */
  readonly typed?: CardData;
}

/** Brand of the card, or the result code of the rule it breaks. */
export type CardVerdict =
  | { readonly ok: true; readonly brand: string | null }
  | { readonly ok: false; readonly resultCode: string };

/**
 * Content rules of a card (reference §4: content errors have codes of their own, they are no parameter errors).
 * @param nowMs wall clock, for the expiry month, which is valid to its last day
 */
export function checkCard({ pan, brand, typed }: CardToCheck, nowMs: number): CardVerdict {
  if (!passesLuhn(pan)) return refuse('100.100.101');
  const known = brand === undefined ? detectBrand(pan) : findBrand(brand);
  if (brand !== undefined && !known) return refuse('100.100.501');
  if (brand !== undefined && known && !belongsTo(known, pan)) return refuse('100.100.700');
  if (!typed) return { ok: true, brand: known?.key ?? null };
  if (!known) return refuse('100.100.500');
  if (isExpired(typed, nowMs)) return refuse('100.100.303');
  if (typed.cvv !== undefined && typed.cvv.length !== known.cvvLength) return refuse('100.100.601');
  return { ok: true, brand: known.key };
}

function refuse(resultCode: string): CardVerdict {
  return { ok: false, resultCode };
}
