import type { HtmlPage } from '@tillbridge/platform/http/post-page.js';
import { acceptedLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import type { BankEntry, BankPayment, BankPayments } from '@tillbridge/wire/simulated-bank/bank-payments.js';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import { decidedPage, decisionPage, leftPage } from './bank-pages.js';

const REFERENCE = { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' } as const;

const PAYMENT_BODY = {
  type: 'object',
  required: ['amount', 'currency', 'brand', 'returnUrl'],
  additionalProperties: false,
  properties: {
    amount: { type: 'string', pattern: '^\\d{1,10}(\\.\\d{1,3})?$' },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    brand: { type: 'string', minLength: 1, maxLength: 32 },
    returnUrl: { type: 'string', pattern: '^https?://\\S+$', maxLength: 2048 },
  },
} as const;

const PARAMS = { type: 'object', properties: { reference: REFERENCE } } as const;

/** What a customer's decision does to the payment. */
const DECISIONS = { approve: 'approved', refuse: 'refused' } as const;

type OfReference = { Params: { reference: string } };

/** `/payments`: what the acquirer requests from the bank. */
export function acquirerRoutes(app: FastifyInstance, payments: BankPayments): void {
  app.put<OfReference & { Body: Omit<BankPayment, 'reference'> }>(
    '/payments/:reference',
    { schema: { body: PAYMENT_BODY, params: PARAMS } },
    ({ params, body }) => {
      const entry = payments.begin({ ...body, reference: params.reference });
      if (entry) return entry;
      throw new ControlError('other-payment', `${params.reference} is the reference of another payment`);
    },
  );
  app.get<OfReference>('/payments/:reference', ({ params }) => known(payments.find(params.reference)));
  app.post<OfReference>('/payments/:reference/cancellation', ({ params }) =>
    known(payments.decide(params.reference, 'cancelled')),
  );
}

/** `/pay`: the pages of the bank's customer, who is known by a token. */
export function customerRoutes(app: FastifyInstance, payments: BankPayments): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(text))));
    },
  );
  app.get<{ Querystring: { token?: string } }>('/pay', ({ query, headers }, reply) => {
    const locale = acceptedLocale(headers['accept-language']);
    const entry = known(payments.ofCustomer(String(query.token)));
    return send(reply, entry.state === 'open' ? decisionPage(entry, locale) : decidedPage(entry, locale));
  });
  app.post<{ Body: { token?: string; decision?: string } | undefined }>(
    '/pay',
    ({ body, headers }, reply) => {
      const entry = known(payments.ofCustomer(String(body?.token)));
      const decision = String(body?.decision);
      if (decision === 'leave') return send(reply, leftPage(acceptedLocale(headers['accept-language'])));
      if (!isDecision(decision))
        throw new ControlError('bad-request', 'decision must be approve, refuse or leave');
      const { returnUrl } = payments.decide(entry.reference, DECISIONS[decision]) ?? entry;
      return reply.redirect(returnUrl, 303);
    },
  );
}

function isDecision(text: string): text is keyof typeof DECISIONS {
  return Object.hasOwn(DECISIONS, text);
}

function known(entry: BankEntry | undefined): BankEntry {
  if (entry) return entry;
  throw new ControlError('unknown-payment', 'the bank knows no such payment');
}

function send(reply: FastifyReply, { html, headers }: HtmlPage): FastifyReply {
  return reply.headers(headers).send(html);
}
