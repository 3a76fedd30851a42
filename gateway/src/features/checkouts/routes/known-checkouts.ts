import type { AdmitStranger } from '@tillbridge/platform/net/admit-strangers.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import { hookWhere } from '../../../kernel/http/request/hook-where.js';
import type { CheckoutRow } from '../../../kernel/store/rows.js';
import { CheckoutError } from '../checkout-error.js';
import type { CheckoutRouteDeps } from './checkout-deps.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of a checkout in the path is the credential. */
    byCheckoutId?: true;
  }
  interface FastifyRequest {
    /** The checkout that the request is a credential for; undefined on all other routes. */
    checkout: CheckoutRow | undefined;
  }
}

/** Looks up the checkout of requests whose credential it is, and whose merchant they count for. */
export function knowCheckouts(
  server: FastifyInstance,
  { checkouts, store }: CheckoutRouteDeps,
  admitStranger: AdmitStranger,
): void {
  server.decorateRequest('checkout', undefined);
  // A shop's page may read the answers: no cookie or token is among what a browser adds by itself.
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.byCheckoutId === true) reply.header('access-control-allow-origin', '*');
    done();
  });
  const isDue = ({ routeOptions }: FastifyRequest) => routeOptions.config.byCheckoutId === true;
  const know = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id = '' } = request.params as { readonly id?: string };
    try {
      request.checkout = await refusing(() => checkouts.find(id));
    } catch (error) {
      if (error instanceof RequestRefused && !(await admitStranger(request, reply))) return reply;
      throw error;
    }
    const { entityId } = request.checkout;
    request.merchantId = (await store.get('entities', [entityId]))?.parentId ?? entityId;
    return undefined;
  };
  server.addHook('preHandler', hookWhere(isDue, know));
}

/** The checkout of the path, on a route that is used by its id. */
export function checkoutOf({ checkout, routeOptions }: FastifyRequest): CheckoutRow {
  if (!checkout) throw new Error(`route ${routeOptions.url} is not used by the id of a checkout`);
  return checkout;
}

/** Does the work; a checkout that is not there is refused with the reason as text. @throws RequestRefused */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CheckoutError) throw new RequestRefused(error.code);
    throw error;
  }
}
