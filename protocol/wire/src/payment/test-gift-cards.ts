/** How the simulated issuer of gift cards treats a card. */
type GiftCardBehaviour =
  | { readonly kind: 'pay' }
  /** Refuses everything, with an ISO 8583 response code. */
  | { readonly kind: 'decline'; readonly responseCode: string };

/** A gift card of test mode. */
export interface TestGiftCard {
  readonly number: string;
  readonly pin: string;
  readonly currency: string;
  /** What is on it before its first payment, in minor units. */
  readonly openingMinor: number;
  readonly behaviour: GiftCardBehaviour;
}

const pay: GiftCardBehaviour = { kind: 'pay' };

/** Gift cards of test mode. A credit (CD) loads one again; no other number is a card. */
export const TEST_GIFT_CARDS: readonly TestGiftCard[] = [
  { number: '6036280000000011', pin: '1234', currency: 'EUR', openingMinor: 100_000, behaviour: pay },
  { number: '6036280000000029', pin: '1234', currency: 'EUR', openingMinor: 2_000, behaviour: pay },
  { number: '6036280000000037', pin: '1234', currency: 'USD', openingMinor: 100_000, behaviour: pay },
  blocked('6036280000000045', '62'),
  blocked('6036280000000052', '54'),
];

const BY_NUMBER: ReadonlyMap<string, TestGiftCard> = new Map(
  TEST_GIFT_CARDS.map((each) => [each.number, each]),
);

/** The gift card with this number; undefined when it is none of ours. */
export function findTestGiftCard(number: string): TestGiftCard | undefined {
  return BY_NUMBER.get(number);
}

function blocked(number: string, responseCode: string): TestGiftCard {
  const behaviour = { kind: 'decline', responseCode } as const;
  return { number, pin: '1234', currency: 'EUR', openingMinor: 2_000, behaviour };
}
