import { NamedError } from '@tillbridge/wire/errors/coded-error.js';

/** The outcome is not known yet, or another request on the same payment takes too long: ask again with the same message id. */
export class TryLaterError extends NamedError {
  /** The payment that it will become, where one is on its way. */
  readonly paymentId: string | undefined;

  constructor(message: string, paymentId?: string) {
    super(message);
    this.paymentId = paymentId;
  }
}
