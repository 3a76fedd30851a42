import { escapeHtml, type HtmlPage, htmlPage, postPage } from '@tillbridge/platform/http/post-page.js';
import { pageTexts } from '@tillbridge/wire/shopper/page-texts.js';
import { acceptedLocale, type ShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AcquirerRedirect } from '../../../core/acquirers/acquirer.js';
import type { PaymentRouteDeps } from '../../../core/payment-api/payment-deps.js';
import {
  checkoutResource,
  paymentResource,
  type ReturnResource,
} from '../../../core/payments/view/return-resource.js';
import { withQuery } from '../../../kernel/api/return-url.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import { newId } from '../../../kernel/store/new-id.js';
import type { WaitRow } from '../../../kernel/store/rows.js';
import type { ShopperAddresses } from '../../../security/tokens/shopper-addresses.js';
import { SHOPPER_PATH } from '../../../security/tokens/shopper-addresses.js';
import type { WidgetBuilds } from '../widget/builds.js';
import { returnedPage } from '../widget/pages.js';

/** What our own pages for shoppers work with. */
export interface ShopperRouteDeps extends PaymentRouteDeps {
  /** Addresses of the pages; absent: there are none. */
  readonly shopper?: ShopperAddresses;
  /** The builds of the payment form. */
  readonly widget: WidgetBuilds;
}

/** See other: the browser requests the address with GET, whatever brought it here. */
const SEE_OTHER = 303;

type ShopperRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * Our own pages for the shopper of a payment that waits. They belong to any holder of the address, which the merchant gave to the shopper; they
 * reveal nothing of the payment but where to go.
 */
export function shopperRoutes(server: FastifyInstance, deps: ShopperRouteDeps): void {
  const { service, random, widget } = deps;

  /** In a frame of the payment form the shop's page is notified, and navigates as a whole. */
  const backToShop = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { shopperResultUrl, paymentId, checkoutId }: WaitRow,
  ): Promise<FastifyReply> => {
    const named = checkoutId === null ? paymentResource(paymentId) : checkoutResource(checkoutId, 'payment');
    const isFramed = checkoutId !== null && request.headers['sec-fetch-dest'] === 'iframe';
    if (!isFramed || shopperResultUrl === null) return sendToShop(reply, shopperResultUrl, named);
    return sendPage(
      reply,
      returnedPage(returnUrl(shopperResultUrl, named), await widget.newest(), localeOf(reply)),
    );
  };

  server.get(SHOPPER_PATH, async (request: ShopperRequest, reply) => {
    const wait = await waitOf(deps, request);
    if (wait.untilMs === null || wait.redirect === null) return backToShop(request, reply, wait);
    const { method, url, parameters } = JSON.parse(wait.redirect) as AcquirerRedirect;
    const locale = localeOf(reply);
    const { goOn } = pageTexts(locale.language);
    if (method === 'POST')
      return sendPage(reply, postPage({ url, parameters }, goOn, { locale, nonce: newId(random) }));
    const query = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
    return reply.redirect(parameters.length === 0 ? url : withQuery(url, query), SEE_OTHER);
  });

  const takeBack = async (request: ShopperRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const wait = await waitOf(deps, request);
    // The shop reads the outcome itself: a slow acquirer holds no shopper up.
    await service.continueWaiting(wait.paymentId, 'return').catch((error: unknown) => {
      if (!(error instanceof TryLaterError)) throw error;
    });
    return backToShop(request, reply, wait);
  };
  server.get(`${SHOPPER_PATH}/return`, takeBack);
  // A bank may send its customers back with a form.
  server.post(`${SHOPPER_PATH}/return`, takeBack);
}

/** @throws RequestRefused for an address that is not ours, or whose payment ended long ago */
async function waitOf({ shopper, store }: ShopperRouteDeps, { params }: ShopperRequest): Promise<WaitRow> {
  const paymentId = shopper?.paymentOf(params.id);
  const wait = paymentId === undefined ? undefined : await store.get('waits', [paymentId]);
  if (!wait) throw new RequestRefused('wrong-url');
  return wait;
}

/** Where a shop receives an outcome. */
export function returnUrl(shopperResultUrl: string, named: ReturnResource): string {
  return withQuery(shopperResultUrl, { ...named });
}

/** What a shop receives when its shopper comes back, and when it is called: an id, and where the outcome is read (docs/checkouts.md). */
export function sendToShop(
  reply: FastifyReply,
  shopperResultUrl: string | null,
  named: ReturnResource,
): FastifyReply {
  if (shopperResultUrl === null) {
    const locale = localeOf(reply);
    const { payment, closePage } = pageTexts(locale.language);
    return sendPage(reply, htmlPage(payment, `<p>${escapeHtml(closePage)}</p>`, { locale }));
  }
  return reply.redirect(returnUrl(shopperResultUrl, named), SEE_OTHER);
}

/** The language of the browser. */
function localeOf({ request }: FastifyReply): ShopperLocale {
  return acceptedLocale(request.headers['accept-language']);
}

function sendPage(reply: FastifyReply, { html, headers }: HtmlPage): FastifyReply {
  return reply.headers(headers).send(html);
}
