/** Why there is no such checkout; a code of the error table. */
type CheckoutErrorCode = 'no-checkout' | 'checkout-expired' | 'checkout-of-other-mode';

/** There is no checkout that can be used under an id. */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError';
  readonly code: CheckoutErrorCode;

  constructor(code: CheckoutErrorCode) {
    super(code);
    this.code = code;
  }
}
