import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import type { AccountData } from '../../../security/module/security-module.js';
import type { CardTrace } from '../rules/drafts.js';

type OfWallet = Pick<CardTrace, 'numberType' | 'wallet'>;
const NO_WALLET: OfWallet = { numberType: null, wallet: null };

/** What may be kept of a card. */
export function traceOf(account: AccountData, brand: string | null, about = NO_WALLET): CardTrace {
  const { pan, holder, expiryMonth, expiryYear } = account;
  const long = pan.length >= 12;
  return {
    brand: brand ?? detectBrand(pan)?.key ?? null,
    bin: long ? pan.slice(0, 6) : null,
    last4Digits: long ? pan.slice(-4) : null,
    holder: holder ?? null,
    expiryMonth,
    expiryYear,
    ...about,
  };
}
