/** A means of payment that the checkout takes. */
export interface Method {
  readonly brand: string;
  readonly kind:
    | 'card'
    | 'wallet'
    | 'direct-debit'
    | 'online-transfer'
    | 'bank-transfer'
    | 'virtual-account'
    | 'gift-card';
  readonly cvvLength?: number;
  /** The sheet of a simulated wallet. */
  readonly sheetUrl?: string;
  /** The brand that the shop names it by, where that is another one. */
  readonly shownAs?: string;
}

/** Stored payment details, masked. */
export interface Registration {
  readonly id: string;
  readonly kind: 'card' | 'bank-account';
  readonly brand?: string;
  readonly last4Digits?: string;
  readonly holder?: string;
  readonly expiryMonth?: string;
  readonly expiryYear?: string;
}

/** What the gateway lets a form show of a checkout (`GET /v1/checkouts/{id}/widget`). */
export interface Checkout {
  readonly id: string;
  readonly mode: 'test' | 'live';
  readonly purpose: 'payment' | 'registration';
  readonly amount?: string;
  readonly currency?: string;
  readonly methods: readonly Method[];
  readonly registrations: readonly Registration[];
  readonly createRegistration: boolean;
  readonly threeDSecure: boolean;
}

/** The makers' names of wallets, by which shops know them. */
const MAKERS: Readonly<Record<string, string>> = {
  APPLEPAY: 'WALLETA',
  GOOGLEPAY: 'WALLETB',
  SAMSUNGPAY: 'WALLETC',
};

/** Is its payment brought about by the shop's page? It is offered where it is named alone: a gift card, a wallet whose token the page gets. */
function isByNameOnly({ kind, sheetUrl }: Method): boolean {
  return kind === 'gift-card' || (kind === 'wallet' && sheetUrl === undefined);
}

/** The methods that a form names by their brands, in its order; where it names none, all of the checkout that need no page of a shop's. */
export function namedMethods(
  { methods }: Pick<Checkout, 'methods'>,
  brands: readonly string[],
): readonly Method[] {
  if (brands.length === 0) return methods.filter((method) => !isByNameOnly(method));
  return brands.flatMap((brand) => {
    const own = Object.hasOwn(MAKERS, brand) ? MAKERS[brand] : brand;
    const method = methods.find((each) => each.brand === own);
    return method ? [{ ...method, ...(own !== brand && { shownAs: brand }) }] : [];
  });
}
