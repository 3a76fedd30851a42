import type { TillRight } from '../api/answers.js';
import { sumOfDigits, typedAmount } from './amount-entry.js';

/** What an amount is made of. */
export const AMOUNT_PARTS = ['purchase', 'tip', 'cashBack'] as const;

/** One of {@link AMOUNT_PARTS}. */
export type AmountPart = (typeof AMOUNT_PARTS)[number];

/** The digits that were typed of each part. */
export type PartDigits = Readonly<Record<AmountPart, string>>;

/** Nothing is typed. */
export const NO_DIGITS: PartDigits = { purchase: '', tip: '', cashBack: '' };

/** The rules of the store, as the status has them. */
interface PolicyView {
  readonly policy: { readonly values: readonly { readonly name: string; readonly value: string }[] };
}

/** The parts that a till may sell with: by its rights, and by the policy of the store. */
export function partsAllowed(
  may: (right: TillRight) => boolean,
  status: PolicyView | undefined,
  currency: string,
): readonly AmountPart[] {
  const allows = (rule: string) =>
    status?.policy.values.some(({ name, value }) => name === rule && Number(value) > 0) ?? false;
  return AMOUNT_PARTS.filter((part) => {
    if (part === 'tip') return may('tip') && allows('tip.maxPercent');
    return part === 'purchase' || (may('cash-back') && allows(`cashBack.${currency}`));
  });
}

/** What is sent for the digits of each part: the amount is their sum. */
export function partAmounts(
  digits: PartDigits,
  parts: readonly AmountPart[],
  currency: string,
): { readonly amount: string; readonly tip?: string; readonly cashBack?: string } {
  const amountOf = (part: AmountPart) => typedAmount(digits[part], currency);
  const has = (part: AmountPart) => parts.includes(part) && digits[part] !== '';
  return {
    amount: typedAmount(sumOfDigits(parts.map((part) => digits[part])), currency),
    ...(has('tip') && { tip: amountOf('tip') }),
    ...(has('cashBack') && { cashBack: amountOf('cashBack') }),
  };
}
