import { exactAmount, type Money } from '@tillbridge/wire/payment/money.js';

/** What the terminal shows at the end. */
export type DisplayText =
  | 'approved'
  | 'approved-in-part'
  | 'taken-offline'
  | 'declined'
  | 'call-issuer'
  | 'cancelled'
  | 'not-charged';

/** Characters of the smallest display there is. */
export const DISPLAY_WIDTH = 16;

/** The text of the display; an amount follows it where it fits. */
export function displayText(text: DisplayText, amount?: Money): string {
  const plain = DISPLAY_TEXTS[text];
  if (!amount) return plain;
  const long = `ONLY ${amount.currency} ${exactAmount(amount)}`;
  return long.length <= DISPLAY_WIDTH ? long : plain;
}

/** Texts of at most {@link DISPLAY_WIDTH} characters. */
export const DISPLAY_TEXTS: Readonly<Record<DisplayText, string>> = {
  approved: 'APPROVED',
  'approved-in-part': 'PARTLY APPROVED',
  'taken-offline': 'TAKEN OFFLINE',
  declined: 'DECLINED',
  'call-issuer': 'CALL ISSUER',
  cancelled: 'CANCELLED',
  'not-charged': 'NOT CHARGED',
};
