import {
  type ExchangeTexts,
  MAX_DETAILS_LENGTH,
} from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { present } from '@tillbridge/wire/present.js';
import type { AcquirerMoneyRequest } from '../../acquirer.js';

/** Parameters with an element of their own. */
const OWN: Readonly<Record<string, keyof ExchangeTexts>> = {
  transactionCategory: 'transactionCategory',
  lifecycleId: 'lifecycleId',
  transactionPurposeCode: 'purposeCode',
};

/** What an element may hold; anything else stands in the form, which takes every character. */
const ELEMENT_TEXT = /^[\x20-\x7e]*$/;

/** Entries of lists, which are carried whole or not at all. */
const ENTRY = /^(.+?\[\d+\])\./;

/**
 * What the merchant sent in addition to card and amount (pure), in the order in which it is given: the most important first. Where not all of it fits, it is
 * carried up to the first parameter, or entry of a list, that does not fit; the message holds the number of parameters left out.
 */
export function requestDetails({ details = {}, deferred }: AcquirerMoneyRequest): ExchangeTexts {
  const own: { -readonly [Name in keyof ExchangeTexts]: string } = {};
  const others: (readonly [name: string, value: string])[] = [];
  for (const [name, value] of Object.entries(details)) {
    const element = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
    if (element && ELEMENT_TEXT.test(value)) own[element] = value;
    else others.push([name, value]);
  }
  const { text, leftOut } = fitted(others);
  return {
    ...own,
    ...present({
      details: text === '' ? undefined : text,
      detailsLeftOut: leftOut === 0 ? undefined : String(leftOut),
      deferred: deferred ? '1' : undefined,
    }),
  };
}

type Pair = readonly [name: string, value: string];

function fitted(pairs: readonly Pair[]): { readonly text: string; readonly leftOut: number } {
  let text = '';
  let carried = 0;
  for (const unit of unitsOf(pairs)) {
    const longer = `${text === '' ? '' : `${text}&`}${new URLSearchParams(Object.fromEntries(unit))}`;
    if (longer.length > MAX_DETAILS_LENGTH) break;
    text = longer;
    carried += unit.length;
  }
  return { text, leftOut: pairs.length - carried };
}

/** Parameters in their order; those of one entry of a list together. */
function unitsOf(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const units = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const key = ENTRY.exec(pair[0])?.[1] ?? pair[0];
    units.set(key, [...(units.get(key) ?? []), pair]);
  }
  return [...units.values()];
}

/** A card on file: mode, type, who initiates it, industry practice. */
export function standingText({
  mode,
  type,
  source,
  industryPractice,
}: NonNullable<AcquirerMoneyRequest['standing']>): string {
  return [mode, type, source, industryPractice].join();
}
