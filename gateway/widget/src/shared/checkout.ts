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

/** Methods whose payment a shop's page brings about: a wallet's token, say. They are offered where they are named alone. */
const BY_NAME_ALONE: readonly string[] = ['wallet', 'gift-card'];

/** The methods that a form names by their brands, in its order; where it names none, all of the checkout that need no page of a shop's. */
export function namedMethods(
  { methods }: Pick<Checkout, 'methods'>,
  brands: readonly string[],
): readonly Method[] {
  if (brands.length === 0) return methods.filter(({ kind }) => !BY_NAME_ALONE.includes(kind));
  return brands.flatMap((brand) => methods.find((method) => method.brand === brand) ?? []);
}
