import type { HtmlPage } from '@tillbridge/platform/http/post-page.js';
import {
  acceptedLocale,
  type ShopperLocale,
  shopperLocale,
} from '@tillbridge/wire/shopper/shopper-language.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withQuery } from '../../../kernel/api/return-url.js';
import { formOf } from '../../../kernel/http/request/form.js';
import type { CheckoutRow, PaymentLinkRow } from '../../../kernel/store/rows.js';
import { shownForm } from '../routes/shown-form.js';
import { layoutOf } from './link-layout.js';
import { billingParts, readLinkOptions } from './link-options.js';
import { linkPage, noticePage, receiptPage } from './link-pages.js';
import type { LinkReceipt } from './link-receipt.js';
import type { MailedReceipts, ReceiptMailing } from './mailed-receipts.js';
import { orderLines } from './order-lines.js';
import type { LinkParameters, LinkStanding } from './payment-links.js';
import { LINK_PAGE_PATH, type PayByLinkDeps } from './routes.js';

const SEE_OTHER = 303;
const NOT_FOUND = 404;
/** Statuses of requests for a receipt that are refused. */
const REFUSED = { wrong: 400, tooMany: 429 } as const;

type LinkRequest = FastifyRequest<{ Params: { id: string } }>;
type Payable = Extract<LinkStanding, { is: 'payable' }>;

/** Methods in the order of a page that offers all of them; wallets stand first in any form. */
const ORDER = ['wallet', 'card', 'virtual-account', 'online-transfer', 'direct-debit', 'bank-transfer'];

/** The pages of a payment link: they belong to any holder of the link, and lead to one payment. */
export function payByLinkPages(server: FastifyInstance, deps: PayByLinkDeps): void {
  const { links, widget, shopper } = deps;

  const show = async (
    request: LinkRequest,
    reply: FastifyReply,
    link: PaymentLinkRow,
    { checkout, wasDeclined }: Payable,
  ): Promise<FastifyReply> => {
    const parameters = await links.parametersOf(link);
    const { purchase, link: own } = parameters;
    const locale = localeOf(request, parameters);
    const facts = {
      merchant: await merchantOf(deps, parameters, link),
      invoice: purchase.merchantInvoiceId,
      price: priceOf(parameters),
      lines: orderLines(purchase),
      wasDeclined,
      terms: own.termsAndConditionsUrl,
      privacy: own.privacyPolicyUrl,
    };
    const form = {
      checkoutId: checkout.id,
      integrity: await widget.scriptIntegrity(),
      shopperResultUrl: `${shopper?.origin ?? ''}/pay/${link.id}/result`,
      brands: await brandsOf(deps, checkout),
      options: { ...optionsOf(parameters), locale: locale.tag },
    };
    return send(reply, linkPage(locale, facts, form, layoutOf(own)));
  };

  const sendNotice = async (
    request: LinkRequest,
    reply: FastifyReply,
    link: PaymentLinkRow | undefined,
    is: 'pending' | 'closed',
  ): Promise<FastifyReply> => {
    const locale = localeOf(request, link && (await links.parametersOf(link)));
    return send(reply.code(is === 'closed' ? NOT_FOUND : 200), noticePage(locale, is));
  };

  server.get(LINK_PAGE_PATH, async (request: LinkRequest, reply) => {
    const { id } = request.params;
    const standing = await links.standing(id, true);
    const link = await links.find(id);
    if (link && standing.is === 'payable') return show(request, reply, link, standing);
    if (link && standing.is === 'paid') {
      const { receipt } = request.query as { readonly receipt?: unknown };
      return sendReceipt(deps, request, reply, link, receipt === 'sent' ? 'sent' : undefined);
    }
    return sendNotice(request, reply, link, standing.is === 'pending' ? 'pending' : 'closed');
  });

  // Where the shopper comes back to from the form: the outcome is noted, then the merchant's own page follows if it has one.
  server.get(`${LINK_PAGE_PATH}/result`, async (request: LinkRequest, reply) => {
    const { id } = request.params;
    const standing = await links.standing(id, false);
    const link = await links.find(id);
    if (!link || standing.is === 'closed') return sendNotice(request, reply, link, 'closed');
    const own = (await links.parametersOf(link)).purchase.shopperResultUrl;
    if (own !== undefined && link.checkoutId !== null) {
      const resourcePath = `/v1/checkouts/${link.checkoutId}/payment`;
      return reply.redirect(withQuery(own, { id: link.checkoutId, resourcePath }), SEE_OTHER);
    }
    if (standing.is === 'payable') return reply.redirect(`/pay/${id}`, SEE_OTHER);
    return standing.is === 'paid'
      ? sendReceipt(deps, request, reply, link)
      : sendNotice(request, reply, link, 'pending');
  });
  if (deps.receipts) mailRoute(server, deps, deps.receipts);
}

/** Takes the address that a receipt is sent to. A page that is loaded again sends nothing again. */
function mailRoute(server: FastifyInstance, deps: PayByLinkDeps, receipts: MailedReceipts): void {
  server.post(`${LINK_PAGE_PATH}/receipt`, async (request: LinkRequest, reply) => {
    const { id } = request.params;
    const { is } = await deps.links.standing(id, false);
    const link = is === 'paid' ? await deps.links.find(id) : undefined;
    if (!link) return send(reply.code(NOT_FOUND), noticePage(localeOf(request), 'closed'));
    const [, address = ''] = formOf(request).parameters.find(([name]) => name === 'email') ?? [];
    const { locale, receipt } = await receiptOf(deps, request, link);
    const mailing = await receipts.send(link, address.trim(), locale, receipt);
    if (mailing === 'sent') return reply.redirect(`/pay/${id}?receipt=sent`, SEE_OTHER);
    return sendReceipt(deps, request, reply.code(REFUSED[mailing]), link, mailing, address);
  });
}

async function sendReceipt(
  deps: PayByLinkDeps,
  request: LinkRequest,
  reply: FastifyReply,
  link: PaymentLinkRow,
  mailing?: ReceiptMailing,
  entered = '',
): Promise<FastifyReply> {
  const { locale, receipt } = await receiptOf(deps, request, link);
  const form = { action: `/pay/${link.id}/receipt`, mailing, entered };
  return send(reply, receiptPage(locale, receipt, deps.receipts && form));
}

/** What the shopper of a link that is paid gets, and in which language. */
async function receiptOf(
  deps: PayByLinkDeps,
  request: LinkRequest,
  link: PaymentLinkRow,
): Promise<{ readonly locale: ShopperLocale; readonly receipt: LinkReceipt }> {
  const parameters = await deps.links.parametersOf(link);
  const { purchase } = parameters;
  const { paymentId } = link;
  const payment = paymentId === null ? undefined : await deps.service.lookUp(paymentId, async () => true);
  return {
    locale: localeOf(request, parameters),
    receipt: {
      merchant: await merchantOf(deps, parameters, link),
      price: priceOf(parameters),
      reference: purchase.merchantInvoiceId ?? purchase.merchantTransactionId ?? paymentId ?? undefined,
      paidAtMs: payment?.createdAtMs,
      lines: orderLines(purchase),
    },
  };
}

async function merchantOf(
  { store }: PayByLinkDeps,
  { purchase }: LinkParameters,
  { entityId }: PaymentLinkRow,
): Promise<string> {
  return purchase['merchant.name'] ?? (await store.get('entities', [entityId]))?.name ?? '';
}

/** The language that the merchant has set, or the first of the shopper's browser that there are texts of. */
function localeOf({ headers }: LinkRequest, parameters?: LinkParameters): ShopperLocale {
  const { purchase = {}, link = {} } = parameters ?? {};
  const options = link.wpwlOptions === undefined ? undefined : readLinkOptions(link.wpwlOptions);
  const wanted = options?.locale ?? purchase.locale ?? purchase['customer.language'];
  if (wanted !== undefined) return shopperLocale(wanted);
  return acceptedLocale(headers['accept-language']);
}

function priceOf({ purchase: { amount, currency } }: LinkParameters) {
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

/** The brands that the page offers: named, so that the form has its room before it is there. */
async function brandsOf(deps: PayByLinkDeps, checkout: CheckoutRow): Promise<string> {
  const { methods } = await shownForm(deps, checkout);
  return methods
    .filter(({ kind, sheetUrl }) => kind !== 'gift-card' && (kind !== 'wallet' || sheetUrl !== undefined))
    .sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
    .map(({ brand }) => brand)
    .join(' ');
}

/** The merchant's options, and the billing address that it wants. */
function optionsOf({ purchase, link }: LinkParameters): object {
  const set = link.wpwlOptions === undefined ? {} : readLinkOptions(link.wpwlOptions);
  const { collected, demanded } = billingParts(link);
  if (collected.length === 0) return { ...set };
  const known = collected.map((part) => [part, purchase[`billing.${part}`] ?? '']);
  return {
    ...set,
    billingAddress: Object.fromEntries(known),
    mandatoryBillingFields: Object.fromEntries(demanded.map((part) => [part, true])),
  };
}

function send(reply: FastifyReply, { html, headers }: HtmlPage): FastifyReply {
  return reply.headers(headers).send(html);
}
