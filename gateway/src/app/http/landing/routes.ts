import { PublicDocument } from '@tillbridge/platform/documents/public-document.js';
import { sendDocument } from '@tillbridge/platform/documents/send-document.js';
import type { FastifyInstance } from 'fastify';
import { LANDING_HEADERS, type LandingLink, livePage, testPage } from './page.js';

/** What a gateway in test mode may have, by the route that it needs. */
const LANDING_LINKS: readonly (LandingLink & { readonly route?: string })[] = [
  {
    path: '/demo',
    route: '/demo',
    title: 'Demo shop',
    text: 'Choose something and pay with a test card: the payment form as a shopper sees it.',
  },
  {
    path: '/console',
    route: '/console',
    title: 'Console',
    text: 'Users, roles and what was done. The demo user and its password are in dev.json.',
  },
  {
    path: '/docs',
    title: 'API reference',
    text: 'Every operation with its parameters, an example for curl, Node, Python and PHP, and a search.',
  },
  {
    path: '/docs#result-codes',
    title: 'Result codes',
    text: 'Paid, pending, refused or try again: what each code means for a shop.',
  },
  {
    path: '/docs#postV1Checkouts',
    route: '/v1/checkouts',
    title: 'Payment form',
    text: 'A checkout puts the form into the page of a shop; card data stays away from it.',
  },
  {
    path: '/docs#postPaybylinkV1',
    route: '/paybylink/v1',
    title: 'Payment links',
    text: 'A page of the gateway on which a shopper pays, without a shop.',
  },
];

/**
 * `/`: in test mode what is here, in live mode the name of the product alone. Its bytes are made once. It comes after the routes that it leads
 * to.
 */
export function landingRoute(server: FastifyInstance, mode: 'test' | 'live'): void {
  const html =
    mode === 'live' ? livePage() : testPage(LANDING_LINKS.filter(({ route }) => isServed(server, route)));
  const document = new PublicDocument('text/html; charset=utf-8', html);
  server.get('/', (request, reply) => sendDocument(request, reply, document, LANDING_HEADERS));
}

function isServed(server: FastifyInstance, url: string | undefined): boolean {
  if (url === undefined) return true;
  return (['GET', 'POST'] as const).some((method) => server.hasRoute({ method, url }));
}
