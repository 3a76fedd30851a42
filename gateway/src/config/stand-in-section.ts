import { findBrand } from '@tillbridge/protocol/payment/brands.js';
import { isCurrency } from '@tillbridge/protocol/payment/currency-codes.js';
import { AmountFormatError, parseAmount } from '@tillbridge/protocol/payment/money.js';
import { entriesOf, listed } from '@tillbridge/protocol/platform/config/list-setting.js';
import { wholeNumber } from '@tillbridge/protocol/platform/config/number-setting.js';
import { oneOf, section } from '@tillbridge/protocol/platform/config/setting.js';
import { present } from '@tillbridge/protocol/present.js';
import { type Static, Type } from '@tillbridge/protocol/schema/type.js';

/** Payments of a card on a day at most, whatever is set. */
const MAX_DAY_COUNT = 100;
const CARDS = ['chip', 'present', 'all'] as const;

/** What the gateway may approve by itself while no host of an acquirer can be reached. */
export const STAND_IN = section({
  limits: listed(
    'a list of currency:amount of a payment:amount of a card on a day, such as EUR:25.00:100.00',
    (entries) => entries.length > 0 && entries.every((entry) => limitOf(entry) !== undefined),
    {
      description: 'Most of a payment, and of all that a card gets on a day; no other currency is approved.',
    },
  ),
  dayCount: wholeNumber(1, MAX_DAY_COUNT, {
    description: 'Payments of a card on a day at most.',
    default: 3,
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
});

/** The rule of a configuration: limits by currency, in minor units. */
export function standInRule({ limits, dayCount, cards, brands }: Readonly<Static<typeof STAND_IN>>) {
  return {
    limits: Object.fromEntries(entriesOf(limits).flatMap((entry) => limitOf(entry) ?? [])),
    dayCount,
    cards,
    ...present({ brands: brands === undefined ? undefined : entriesOf(brands) }),
  };
}

type Limit = readonly [currency: string, limit: { readonly paymentMinor: number; readonly dayMinor: number }];

/** One entry of the limits; undefined where it is none. */
function limitOf(entry: string): readonly Limit[] | undefined {
  const [currency = '', payment, day, ...more] = entry.split(':');
  if (!isCurrency(currency) || payment === undefined || day === undefined || more.length > 0)
    return undefined;
  try {
    const [paymentMinor, dayMinor] = [payment, day].map((amount) => parseAmount(amount, currency).minor);
    if (paymentMinor === undefined || dayMinor === undefined) return undefined;
    return paymentMinor > 0 && dayMinor >= paymentMinor
      ? [[currency, { paymentMinor, dayMinor }]]
      : undefined;
  } catch (error) {
    if (error instanceof AmountFormatError) return undefined;
    throw error;
  }
}
