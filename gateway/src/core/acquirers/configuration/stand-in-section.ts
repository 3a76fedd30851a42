import { entriesOf, listed } from '@tillbridge/platform/config/list-setting.js';
import { oneOf, section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { findBrand } from '@tillbridge/wire/payment/brands.js';
import { isCurrency } from '@tillbridge/wire/payment/currency-codes.js';
import { amountOrFault } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { StandInLimit, StandInRule } from '../iso8583/rules/decide-stand-in.js';

/** Payments on a day at most, whatever is set: of a card, and of an acquirer. */
const MAX_CARD_DAY_COUNT = 100;
const MAX_DAY_COUNT = 1_000_000;
/** Beginnings of card numbers at most. */
const MAX_BLOCKED_BINS = 1_000;
/** Amounts of a limit: of a payment, of a card, of all cards. */
const LIMIT_AMOUNTS = 3;
const CARDS = ['chip', 'present', 'all'] as const;

/** What the gateway may approve by itself while no host of an acquirer can be reached. */
export const STAND_IN = section({
  limits: listed(
    'a list of currency:amount of a payment:of a card on a day:of all cards on a day, such as EUR:25.00:100.00:5000.00',
    (entries) => entries.length > 0 && entries.every((entry) => limitOf(entry) !== undefined),
    {
      description:
        'Most of a payment, of all that a card gets on a day, and of all that all cards get; no other currency is approved.',
    },
  ),
  cardDayCount: wholeNumber(1, MAX_CARD_DAY_COUNT, {
    description: 'Payments of a card on a day at most.',
    default: 3,
  }),
  dayCount: wholeNumber(1, MAX_DAY_COUNT, {
    description: 'Payments of all cards on a day at most.',
    default: 1_000,
  }),
  cards: oneOf(CARDS, {
    description: 'Cards that a terminal read by their chip, that a terminal read at all, or all.',
    default: 'chip',
  }),
  brands: Type.Optional(
    listed(
      'brands of the API, parted by commas',
      (brands) => brands.length > 0 && brands.every((brand) => findBrand(brand) !== undefined),
      { description: 'Brands that it approves; without it every brand.' },
    ),
  ),
  blockedBins: Type.Optional(
    listed(
      `up to ${MAX_BLOCKED_BINS} of 4 to 11 digits, parted by commas`,
      (bins) => bins.length <= MAX_BLOCKED_BINS && bins.every((bin) => /^\d{4,11}$/.test(bin)),
      { description: 'First digits of card numbers that it never approves.' },
    ),
  ),
});

/** The rule of a configuration: limits by currency, in minor units. */
export function standInRule({
  limits,
  brands,
  blockedBins,
  ...rule
}: Readonly<Static<typeof STAND_IN>>): StandInRule {
  const listOf = (value: typeof brands) => (value === undefined ? undefined : entriesOf(value));
  return {
    ...rule,
    limits: Object.fromEntries(entriesOf(limits).flatMap((entry) => limitOf(entry) ?? [])),
    ...present({ brands: listOf(brands), blockedBins: listOf(blockedBins) }),
  };
}

type Limit = readonly [currency: string, limit: StandInLimit];

/** One entry of the limits; undefined where it is none. */
function limitOf(entry: string): readonly Limit[] | undefined {
  const [currency = '', ...amounts] = entry.split(':');
  if (!isCurrency(currency) || amounts.length !== LIMIT_AMOUNTS) return undefined;
  const [paymentMinor = 0, cardDayMinor = 0, dayMinor = 0] = amounts.map((amount) => {
    const read = amountOrFault(amount, currency);
    return typeof read === 'string' ? 0 : read.minor;
  });
  const rises = paymentMinor > 0 && cardDayMinor >= paymentMinor && dayMinor >= cardDayMinor;
  return rises ? [[currency, { paymentMinor, cardDayMinor, dayMinor }]] : undefined;
}
