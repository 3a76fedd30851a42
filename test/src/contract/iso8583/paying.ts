import { followUp, restPayment } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { TryLaterError } from '@tillbridge/gateway/kernel/errors/try-later-error.js';
import type { LinkedGateway } from './linked-gateway.js';

/** How a payment ended: its result code, or `later` where it is not known yet. */
export interface Ended {
  readonly code: string;
  readonly id: string | undefined;
}

type Request = Parameters<typeof restPayment>[0];

/** Lets virtual time go on until a payment has ended. */
export async function settledCode(
  gateway: LinkedGateway,
  work: Promise<{ readonly resultCode: string; readonly paymentId?: string }>,
): Promise<Ended> {
  try {
    const { resultCode, paymentId } = await gateway.settled(work);
    return { code: resultCode, id: paymentId };
  } catch (error) {
    if (error instanceof TryLaterError) return { code: 'later', id: error.paymentId };
    throw error;
  }
}

/** Payments over REST at the gateway of a test. */
export function payingAt(gateway: () => LinkedGateway) {
  return {
    /** A sale, unless another type is wanted. */
    pay: (request: Request = {}): Promise<Ended> =>
      settledCode(
        gateway(),
        gateway().service.authorize(restPayment({ type: 'DB', testMode: 'EXTERNAL', ...request })),
      ),
    follow: (...wanted: Parameters<typeof followUp>): Promise<Ended> =>
      settledCode(gateway(), gateway().service.followUp(followUp(...wanted))),
  };
}
