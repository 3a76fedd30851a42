/** How a payment without a card is made. */
export type AccountMethodKind =
  | 'direct-debit'
  | 'online-transfer'
  | 'bank-transfer'
  | 'virtual-account'
  | 'gift-card';

/** A brand of payments without a card. */
export interface AccountMethod {
  /** `paymentBrand`. */
  readonly brand: string;
  readonly kind: AccountMethodKind;
  /** As `paymentMethods` names it (gateway/docs/rest-api.md). */
  readonly code: 'DD' | 'OT' | 'CT' | 'VA';
  /** The group of parameters that brings the account; payments that are approved elsewhere may leave it out. */
  readonly group: 'bankAccount.' | 'virtualAccount.' | 'giftCard.';
  /** The one currency that it is made in; absent: any. */
  readonly currency?: string;
  /** The shopper approves it on another page: `shopperResultUrl` is needed. */
  readonly isAsynchronous: boolean;
}

/** The brands of payments without a card. The specification leaves the list open; these are the names that clients of the API family use. */
export const ACCOUNT_METHODS: readonly AccountMethod[] = [
  { ...directDebit('DIRECTDEBIT_SEPA'), currency: 'EUR' },
  directDebit('DIRECTDEBIT'),
  transfer('EPS', 'online-transfer'),
  transfer('GIROPAY', 'online-transfer'),
  transfer('IDEAL', 'online-transfer'),
  transfer('SOFORTUEBERWEISUNG', 'online-transfer'),
  transfer('PREPAYMENT', 'bank-transfer'),
  virtualAccount('PAYPAL'),
  virtualAccount('SKRILL'),
  // A balance that another company keeps: the specification has no method code of gift cards.
  { brand: 'GIFTCARD', kind: 'gift-card', code: 'VA', group: 'giftCard.', isAsynchronous: false },
];

const BY_BRAND: ReadonlyMap<string, AccountMethod> = new Map(
  ACCOUNT_METHODS.map((each) => [each.brand, each]),
);

/** The method of a brand; undefined for cards and for unknown brands. */
export function accountMethodOf(brand: string | undefined): AccountMethod | undefined {
  return brand === undefined ? undefined : BY_BRAND.get(brand);
}

/** Code of the payment method of a brand, as `paymentMethod` names it; `CC` for cards. */
export function paymentMethodOf(brand: string | null): AccountMethod['code'] | 'CC' {
  return accountMethodOf(brand ?? undefined)?.code ?? 'CC';
}

function directDebit(brand: string): AccountMethod {
  return { brand, kind: 'direct-debit', code: 'DD', group: 'bankAccount.', isAsynchronous: false };
}

function transfer(brand: string, kind: 'online-transfer' | 'bank-transfer'): AccountMethod {
  const code = kind === 'bank-transfer' ? 'CT' : 'OT';
  // A transfer is made at the payer's own bank, whenever the payer likes: no page is shown.
  return { brand, kind, code, group: 'bankAccount.', isAsynchronous: kind !== 'bank-transfer' };
}

function virtualAccount(brand: string): AccountMethod {
  return { brand, kind: 'virtual-account', code: 'VA', group: 'virtualAccount.', isAsynchronous: true };
}
