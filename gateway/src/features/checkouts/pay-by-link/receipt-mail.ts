import { localizedAmount } from '@tillbridge/wire/shopper/localized-amount.js';
import type { ShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { oneLine } from '../../../kernel/outbox/outbox-row.js';
import { dateIn, type LinkReceipt, type Price, quantityIn } from './link-receipt.js';
import { linkTexts } from './link-texts.js';

/** Subject line and text of the e-mail with the receipt of a payment, in the shopper's language. Each value stays in its line. Pure. */
export function receiptMail(
  locale: ShopperLocale,
  { merchant, price, reference, paidAtMs, lines }: LinkReceipt,
): { readonly title: string; readonly body: string } {
  const texts = linkTexts(locale.language);
  const money = ({ amount, currency }: Price): string => localizedAmount(locale.tag, amount, currency);
  const facts = [
    [texts.merchant, merchant],
    [texts.amount, price && money(price)],
    [texts.reference, reference],
    [texts.date, paidAtMs === undefined ? undefined : dateIn(locale, paidAtMs)],
  ].flatMap(([name, value]) => (value ? `${name}: ${plain(value)}` : []));
  const order = lines.map(({ name, quantity, price: each }) => {
    const times = quantity === undefined ? '' : `${quantityIn(locale, quantity)} × `;
    return plain(`${times}${name}${each ? `: ${money(each)}` : ''}`);
  });
  const ordered = order.length === 0 ? '' : [`${texts.order}:`, ...order].join('\n').slice(0, MOST_OF_ORDER);
  const parts = [texts.paidText, facts.join('\n'), ordered, texts.mailReason].filter((part) => part !== '');
  return {
    title: plain([`${texts.receipt}: ${merchant}`, price && money(price)].filter(Boolean).join(', ')),
    body: `${parts.join('\n\n')}\n`,
  };
}

/** Characters of an order at most: the text has its end, too. */
const MOST_OF_ORDER = 6_000;

/** A text without what ends its line, or turns the direction of what comes after it. */
function plain(text: string): string {
  return oneLine(text.replace(/\p{Bidi_Control}/gu, ''));
}
