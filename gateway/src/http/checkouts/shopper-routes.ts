import { resultClass } from '@tillbridge/protocol/api/result-codes/result-codes.js';
import type { Peers } from '@tillbridge/protocol/platform/net/peers.js';
import { present } from '@tillbridge/protocol/present.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkoutForm } from '../../checkouts/checkout-form.js';
import { decidePost } from '../../checkouts/decide-post.js';
import { isFinal, postedBefore } from '../../checkouts/posted.js';
import type { RoutingRule } from '../../payments/decide/routing-rules.js';
import { withShown } from '../../payments/flow/gates.js';
import { checkoutResource } from '../../payments/view/return-resource.js';
import type { CheckoutRow, PaymentRow } from '../../store/rows.js';
import { CommitConflict } from '../../store/store.js';
import { peerOf } from '../limits/peer.js';
import { paymentRequest } from '../payments/requests.js';
import { originOfPayment } from '../payments/routed-origin.js';
import { bodyForm, outcomeOf, paymentBody } from '../payments/routes.js';
import type { HttpDeps } from '../request/deps.js';
import { envelope, invalidParameters } from '../request/envelope.js';
import { tooManyRequests } from '../request/errors.js';
import { sendToShop } from '../shopper/routes.js';
import { joined, jointErrors, postedParameters } from './forms.js';
import { checkoutOf } from './known-checkouts.js';
import { CHECKOUT_PATHS } from './routes.js';

const BY_ID = { config: { right: 'public', byCheckoutId: true, throttle: 'shoppers' } } as const;
/** See other: the browser asks for the address with GET, whatever brought it here. */
const SEE_OTHER = 303;
/** Codes of a post that begins nothing: another one is under way; the session holds too many. */
const CODES = { busy: '800.700.100', spent: '700.500.001', found: '000.000.100' } as const;
/** Lost races in a row before a post is refused as busy. */
const ATTEMPTS = 4;

/** What is asked of the gateway by the id of a checkout alone: by the form, and by the shopper's browser. */
export function checkoutShopperRoutes(server: FastifyInstance, deps: HttpDeps, proxies: Peers): void {
  for (const path of CHECKOUT_PATHS) {
    server.get(`${path}/:id/widget`, BY_ID, async (request) => {
      const row = checkoutOf(request);
      return { ...envelope(deps, CODES.found), ndc: row.id, checkout: await formOf(deps, row) };
    });
    server.post(`${path}/:id/payment`, BY_ID, (request, reply) => postPayment(deps, proxies, request, reply));
  }
}

async function formOf(deps: HttpDeps, row: CheckoutRow) {
  const { store, checkouts, clock, mode } = deps;
  const before = await postedBefore(deps, row);
  const routing = await store.get('routing', [row.entityId]);
  return checkoutForm({
    row,
    parameters: await checkouts.parametersOf(row),
    mode,
    nowMs: clock.nowMs(),
    maxAttempts: checkouts.maxAttempts,
    posted: isFinal(before) ? 'done' : before?.state === 'pending' ? 'pending' : before && 'declined',
    rules: routing && (JSON.parse(routing.rules) as readonly RoutingRule[]),
    registrations: [],
    threeDSecure: (await deps.threeDSecureActive?.(row.entityId)) === true,
  });
}

/** What became of a post: a payment as it now stands, or a code without one. */
type Posted = { readonly payment: PaymentRow } | { readonly code: string };

async function postPayment(
  deps: HttpDeps,
  proxies: Peers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row = checkoutOf(request);
  const compatibility = (await deps.store.get('entities', [row.entityId]))?.compatibility;
  const asLegacy = compatibility === 'legacy' ? compatibility : undefined;
  const posted = postedParameters(bodyForm(request), 'checkout-payment', asLegacy);
  const address = peerOf(request.raw, proxies);
  const waitMs = deps.checkouts.countAddress(address, row);
  if (waitMs > 0) throw tooManyRequests(reply, waitMs);
  const { accept: acceptHeader, 'user-agent': userAgent } = request.headers;
  const browser = { ip: address, acceptHeader, userAgent };
  const prepared = await deps.checkouts.parametersOf(row);
  const all = joined(prepared, posted, browser, asLegacy);
  const errors = jointErrors(all, { operation: 'checkout-payment', ...present({ compatibility: asLegacy }) });
  if (errors.length > 0) throw invalidParameters(errors);
  const shopperResultUrl = all.values.get('shopperResultUrl');
  const said = await post(deps, row, shopperResultUrl, (postedId) => pay(deps, row, postedId, all));
  return answer(deps, request, reply, { row, shopperResultUrl: shopperResultUrl ?? null, said });
}

/** Begins a post, as far as the one before lets it. */
async function post(
  deps: HttpDeps,
  known: CheckoutRow,
  shopperResultUrl: string | undefined,
  work: (postedId: string) => Promise<Posted>,
): Promise<Posted> {
  const { checkouts, service } = deps;
  let row = known;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await postedBefore(deps, row);
    const verdict = decidePost(row, before, checkouts.maxAttempts);
    if (verdict === 'spent') return { code: CODES.spent };
    if (verdict === 'busy' || (verdict === 'answer' && !before)) return { code: CODES.busy };
    if (verdict === 'answer' && before) return before;
    if (verdict === 'end-wait' && row.postedId !== null) {
      await service.continueWaiting(row.postedId, 'deadline');
      continue;
    }
    try {
      const { postedId } = await checkouts.post(row, { posted: 'payment', shopperResultUrl });
      return await work(postedId);
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      row = await checkouts.find(row.id);
    }
  }
  return { code: CODES.busy };
}

async function pay(
  deps: HttpDeps,
  { id: checkoutId, entityId }: CheckoutRow,
  postedId: string,
  all: ReturnType<typeof joined>,
): Promise<Posted> {
  const reserved = { reservedPaymentId: postedId };
  const { origin, refusal } = await originOfPayment(deps.store, reserved, entityId, all.values);
  const isActive = (await deps.threeDSecureActive?.(origin.entityId)) === true;
  const asked = paymentRequest(deps, all, origin, refusal, isActive);
  const request = { ...asked, checkoutId, echo: withShown(asked.echo ?? {}, { checkoutId }) };
  const { code, paymentId } = await outcomeOf(() => deps.service.authorize(request));
  const payment = paymentId === undefined ? undefined : await deps.service.find(paymentId, origin.entityId);
  return payment ? { payment } : { code };
}

/** Answers a browser: as JSON where it asks for that, else it is sent on. */
async function answer(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    row,
    shopperResultUrl,
    said,
  }: { readonly row: CheckoutRow; readonly shopperResultUrl: string | null; readonly said: Posted },
): Promise<FastifyReply> {
  const payment = 'payment' in said ? said.payment : undefined;
  if (request.headers.accept?.includes('application/json') === true || !payment) {
    const code = 'payment' in said ? said.payment.resultCode : said.code;
    const body = payment ? await paymentBody(deps, payment) : envelope(deps, code);
    return reply.code(resultClass(code) === 'rejected' ? 400 : 200).send({ ...body, ndc: row.id });
  }
  const wait = payment.state === 'pending' ? await deps.store.get('waits', [payment.id]) : undefined;
  const pages = deps.shopper?.pagesOf(payment.id);
  if (wait && wait.redirect !== null && pages) return reply.redirect(pages.start, SEE_OTHER);
  return sendToShop(reply, shopperResultUrl, checkoutResource(row.id, 'payment'));
}
