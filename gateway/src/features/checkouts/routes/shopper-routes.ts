import type { Peers } from '@tillbridge/platform/net/peers.js';
import { resultClass } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyForm, paymentBody } from '../../../core/payment-api/routes.js';
import { registrationAnswer } from '../../../core/payments/view/registration-view.js';
import { checkoutResource } from '../../../core/payments/view/return-resource.js';
import { peerOf } from '../../../kernel/http/limits/peer.js';
import { done, envelope, invalidParameters } from '../../../kernel/http/request/envelope.js';
import { tooManyRequests } from '../../../kernel/http/request/errors.js';
import type { CheckoutRow } from '../../../kernel/store/rows.js';
import { storesOnly } from '../checkout-parameters.js';
import { withAppSchemes } from '../shopper/app-schemes.js';
import { returnUrl, sendToShop } from '../shopper/routes.js';
import type { CheckoutRouteDeps } from './checkout-deps.js';
import { joined, jointErrors, postedParameters } from './forms.js';
import { checkoutOf } from './known-checkouts.js';
import { CHECKOUT_PATHS } from './routes.js';
import { shownForm } from './shown-form.js';
import { type Submission, type Submitted, submitPayment, submitRegistration } from './submit.js';

const BY_ID = { config: { right: 'public', byCheckoutId: true, throttle: 'shoppers' } } as const;
/** See other: the browser requests the address with GET, whatever brought it here. */
const SEE_OTHER = 303;

/** What each path is for, and what it does. */
const POSTS = {
  payment: submitPayment,
  registration: submitRegistration,
} as const satisfies Readonly<
  Record<string, (deps: CheckoutRouteDeps, submission: Submission) => Promise<Submitted>>
>;
type Posted = keyof typeof POSTS;

/** Routes that need the id of a checkout alone: for the form, and for the shopper's browser. */
export function checkoutShopperRoutes(
  server: FastifyInstance,
  deps: CheckoutRouteDeps,
  proxies: Peers,
): void {
  for (const path of CHECKOUT_PATHS) {
    server.get(`${path}/:id/widget`, BY_ID, async (request) => {
      const row = checkoutOf(request);
      return done(deps, { ndc: row.id, checkout: await shownForm(deps, row) });
    });
    for (const posted of ['payment', 'registration'] as const)
      server.post(`${path}/:id/${posted}`, BY_ID, (request, reply) =>
        take(deps, proxies, posted, request, reply),
      );
  }
}

async function take(
  deps: CheckoutRouteDeps,
  proxies: Peers,
  posted: Posted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row = checkoutOf(request);
  const submission = await submissionOf(deps, proxies, posted, request, reply);
  const submitted = await POSTS[posted](deps, submission);
  return answer(deps, request, reply, {
    row,
    posted,
    shopperResultUrl: submission.shopperResultUrl,
    submitted,
  });
}

/** @throws RequestRefused for parameters that are wrong, and for an address that tries too many checkouts */
async function submissionOf(
  deps: CheckoutRouteDeps,
  proxies: Peers,
  posted: Posted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Submission> {
  const row = checkoutOf(request);
  const { compatibility } = (await deps.store.get('entities', [row.entityId])) ?? {};
  const asLegacy = compatibility === 'legacy' ? compatibility : undefined;
  const operation = `checkout-${posted}` as const;
  const sent = await withAppSchemes(deps.store, row.entityId, bodyForm(request));
  const form = postedParameters(sent, operation, asLegacy);
  const address = peerOf(request.raw, proxies);
  const waitMs = await deps.checkouts.countAddress(address, row);
  if (waitMs > 0) throw tooManyRequests(reply, waitMs);
  const prepared = await deps.checkouts.parametersOf(row);
  refuseOtherPurpose(prepared, posted);
  const { accept: acceptHeader, 'user-agent': userAgent } = request.headers;
  const all = joined(prepared, form, { ip: address, acceptHeader, userAgent }, asLegacy);
  const { appSchemes } = await withAppSchemes(deps.store, row.entityId, {
    parameters: [...all.values],
    errors: [],
  });
  const errors = jointErrors(all, { operation, ...present({ compatibility: asLegacy, appSchemes }) });
  if (errors.length > 0) throw invalidParameters(errors);
  return { row, prepared, all, shopperResultUrl: all.values.get('shopperResultUrl') };
}

/** A checkout that pays is paid, and one that stores stores. @throws RequestRefused */
function refuseOtherPurpose(prepared: Readonly<Record<string, string>>, posted: Posted): void {
  const purpose: Posted = storesOnly(prepared) ? 'registration' : 'payment';
  if (purpose === posted) return;
  throw invalidParameters([{ name: 'id', value: null, message: `is of a checkout for …/${purpose}` }]);
}

/** Answers a browser: as JSON where it accepts that, else it is sent on. */
async function answer(
  deps: CheckoutRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    row,
    posted,
    shopperResultUrl,
    submitted,
  }: {
    readonly row: CheckoutRow;
    readonly posted: Posted;
    readonly shopperResultUrl: string | undefined;
    readonly submitted: Submitted;
  },
): Promise<FastifyReply> {
  const { payment, registration, code } = submitted;
  const isDone = payment !== undefined || registration !== undefined;
  const named = checkoutResource(row.id, posted);
  const wait = payment?.state === 'pending' ? await deps.store.get('waits', [payment.id]) : undefined;
  const pages = payment && wait && wait.redirect !== null ? deps.shopper?.pagesOf(payment.id) : undefined;
  if (request.headers.accept?.includes('application/json') === true || !isDone) {
    // Where the form goes on: to our page that leads to the bank, or to an address that the merchant alone may have named.
    const goOn = present({
      continueUrl: pages?.start,
      returnUrl: shopperResultUrl && returnUrl(shopperResultUrl, named),
    });
    return reply
      .code(resultClass(code) === 'rejected' ? 400 : 200)
      .send({ ...(await bodyOf(deps, submitted)), ...goOn, ndc: row.id });
  }
  if (pages) return reply.redirect(pages.start, SEE_OTHER);
  return sendToShop(reply, shopperResultUrl ?? null, named);
}

async function bodyOf(deps: CheckoutRouteDeps, { payment, registration, code }: Submitted): Promise<object> {
  if (payment) return paymentBody(deps, payment);
  return registration ? registrationAnswer(registration, envelope(deps, code)) : envelope(deps, code);
}
