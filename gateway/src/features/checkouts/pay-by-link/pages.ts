import type { HtmlPage } from '@tillbridge/platform/http/post-page.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withQuery } from '../../../kernel/api/return-url.js';
import type { PaymentLinkRow } from '../../../kernel/store/rows.js';
import { layoutOf } from './link-layout.js';
import { billingParts, readLinkOptions } from './link-options.js';
import { linkPage, noticePage } from './link-pages.js';
import type { LinkParameters, LinkStanding } from './payment-links.js';
import { LINK_PAGE_PATH, type PayByLinkDeps } from './routes.js';

const SEE_OTHER = 303;
const NOT_FOUND = 404;

type LinkRequest = FastifyRequest<{ Params: { id: string } }>;
type Payable = Extract<LinkStanding, { is: 'payable' }>;

/** The pages of a payment link: they belong to any holder of the link, and lead to one payment. */
export function payByLinkPages(server: FastifyInstance, deps: PayByLinkDeps): void {
  const { links, widget, store, shopper } = deps;

  const show = async (
    reply: FastifyReply,
    link: PaymentLinkRow,
    standing: Payable,
  ): Promise<FastifyReply> => {
    const parameters = await links.parametersOf(link);
    const { purchase, link: own } = parameters;
    const merchant = (await store.get('entities', [link.entityId]))?.name ?? '';
    const texts = {
      merchant: purchase['merchant.name'] ?? merchant,
      invoice: purchase.merchantInvoiceId,
      amount: purchase.amount && `${purchase.amount} ${purchase.currency}`,
      wasDeclined: standing.wasDeclined,
      terms: own.termsAndConditionsUrl,
      privacy: own.privacyPolicyUrl,
    };
    const form = {
      checkoutId: standing.checkout.id,
      integrity: await widget.scriptIntegrity(),
      shopperResultUrl: `${shopper?.origin ?? ''}/pay/${link.id}/result`,
      brands: '',
      options: optionsOf(parameters),
    };
    return send(reply, linkPage(texts, form, layoutOf(own)));
  };

  server.get(LINK_PAGE_PATH, async ({ params }: LinkRequest, reply) => {
    const standing = await links.standing(params.id, true);
    const link = await links.find(params.id);
    if (standing.is === 'payable' && link) return show(reply, link, standing);
    const is = standing.is === 'payable' ? 'closed' : standing.is;
    return send(reply.code(is === 'closed' ? NOT_FOUND : 200), noticePage(is));
  });

  // Where the shopper comes back to from the form: the outcome is noted, then the merchant's own page follows if it has one.
  server.get(`${LINK_PAGE_PATH}/result`, async (request: LinkRequest, reply) => {
    const { id } = request.params;
    const standing = await links.standing(id, false);
    const link = await links.find(id);
    if (!link || standing.is === 'closed') return send(reply.code(NOT_FOUND), noticePage('closed'));
    const own = (await links.parametersOf(link)).purchase.shopperResultUrl;
    if (own !== undefined && link.checkoutId !== null) {
      const resourcePath = `/v1/checkouts/${link.checkoutId}/payment`;
      return reply.redirect(withQuery(own, { id: link.checkoutId, resourcePath }), SEE_OTHER);
    }
    return standing.is === 'payable'
      ? reply.redirect(`/pay/${id}`, SEE_OTHER)
      : send(reply, noticePage(standing.is));
  });
}

/** The merchant's options, and the billing address that it wants. */
function optionsOf({ purchase, link }: LinkParameters): object {
  const set = link.wpwlOptions === undefined ? {} : readLinkOptions(link.wpwlOptions);
  const locale = purchase.locale === undefined ? {} : { locale: purchase.locale };
  const { collected, demanded } = billingParts(link);
  if (collected.length === 0) return { ...locale, ...set };
  const known = collected.map((part) => [part, purchase[`billing.${part}`] ?? '']);
  return {
    ...locale,
    ...set,
    billingAddress: Object.fromEntries(known),
    mandatoryBillingFields: Object.fromEntries(demanded.map((part) => [part, true])),
  };
}

function send(reply: FastifyReply, { html, headers }: HtmlPage): FastifyReply {
  return reply.headers(headers).send(html);
}
