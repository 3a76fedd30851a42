import type { HtmlPage } from '@tillbridge/platform/http/post-page.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withQuery } from '../../../kernel/api/return-url.js';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import { formOf } from '../../../kernel/http/request/form.js';
import { checkoutPage, outcomePage, shopPage } from './demo-pages.js';
import { type DemoShop, GOODS, MAX_PIECES } from './demo-shop.js';

const SEE_OTHER = 303;
const CHECKOUT_ID = /^[A-Za-z0-9-]{32,48}$/;
const INTEGRITY = /^sha384-[A-Za-z0-9+/]{64}$/;
const WORD = /^[a-z]{2,8}$/;
/** The demo's own checkout page, with what it needs in its query. */
const CHECKOUT_PATH = '/demo/checkout';

/** A small shop on the public API alone, to show a payment (test mode, on a development home). */
export function demoRoutes(server: FastifyInstance, shop: DemoShop | undefined): void {
  if (!shop) return;
  server.get('/demo', (_request, reply) => send(reply, shopPage()));
  server.get('/demo/', (_request, reply) => reply.redirect('/demo', SEE_OTHER));

  server.post('/demo/checkouts', async (request, reply) => {
    const fields = fieldsOf(request);
    const pieces = Object.fromEntries(GOODS.map(({ id }) => [id, piecesIn(fields[id])]));
    const confirmed = fields.confirmed === 'true';
    const { id, integrity } = await shop.prepare({ pieces, confirmed });
    // An empty basket is no purchase: the API refuses it.
    if (id === undefined || integrity === undefined) return reply.redirect('/demo', SEE_OTHER);
    const { locale = 'en', style = 'card' } = fields;
    return reply.redirect(withQuery(CHECKOUT_PATH, { id, integrity, locale, style }), SEE_OTHER);
  });

  server.get(CHECKOUT_PATH, (request, reply) => {
    const { id = '', integrity = '', locale = '', style = '' } = fieldsOf(request);
    const isOurs = CHECKOUT_ID.test(id) && INTEGRITY.test(integrity) && WORD.test(locale) && WORD.test(style);
    if (!isOurs) throw new RequestRefused('wrong-url');
    const again = { checkout: id, integrity, locale, style };
    const shopperResultUrl = withQuery(`${request.protocol}://${request.host}/demo/result`, again);
    return send(reply, checkoutPage({ id, integrity, locale, style, shopperResultUrl }));
  });

  server.get('/demo/result', async (request, reply) => {
    const { resourcePath = '', checkout = '', integrity = '', locale = '', style = '' } = fieldsOf(request);
    const answer = await shop.outcome(resourcePath);
    if (!answer) throw new RequestRefused('wrong-url');
    return send(
      reply,
      outcomePage(answer, withQuery(CHECKOUT_PATH, { id: checkout, integrity, locale, style })),
    );
  });
}

function fieldsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(formOf(request).parameters);
}

function piecesIn(text: string | undefined): number {
  const pieces = Number(text ?? 0);
  return Number.isInteger(pieces) && pieces > 0 ? Math.min(pieces, MAX_PIECES) : 0;
}

function send(reply: FastifyReply, { html, headers }: HtmlPage): FastifyReply {
  return reply.headers(headers).send(html);
}
