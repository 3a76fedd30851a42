/** What a shop receives of a purchase: the id, and the path at which its outcome is read (docs/checkouts.md). */
export interface ReturnResource {
  readonly id: string;
  readonly resourcePath: string;
}

/** Of a payment on its own. */
export function paymentResource(id: string): ReturnResource {
  return { id, resourcePath: `/v1/payments/${id}` };
}

/** Of what was posted to a checkout. */
export function checkoutResource(id: string, posted: 'payment' | 'registration'): ReturnResource {
  return { id, resourcePath: `/v1/checkouts/${id}/${posted}` };
}
