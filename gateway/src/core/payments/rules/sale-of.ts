import type { PaymentRequest } from './requests.js';

/**
 * Whose a card's counter and a terminal's KSN are, as text. The sale is the till's reference: live ARQC, offline TC and deferred ARQC under
 * it are one. A merchant's reference over REST is not unique, so there each payment is a separate sale.
 */
export function saleOf({ origin, reference }: PaymentRequest, paymentId: string): string {
  const own = origin.kind === 'bridge' && reference !== undefined;
  return JSON.stringify(own ? [origin.agentId, reference] : [paymentId]);
}
