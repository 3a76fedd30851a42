import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readParameters } from '../../../core/payment-api/parameters.js';
import { checkCreditRight } from '../../../core/payment-api/payment-right.js';
import { paymentBody } from '../../../core/payment-api/routes.js';
import { isWithin } from '../../../core/payments/lookup/routing.js';
import {
  PAY_BY_LINK_PARAMETERS,
  PAY_BY_LINK_SMS_PARAMETERS,
} from '../../../kernel/api/catalogue/links/pay-by-link.js';
import { type ParameterError, validateParameters } from '../../../kernel/api/validate.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import { contentAnswer } from '../../../kernel/http/request/content.js';
import { envelope, invalidParameters, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { formOf, queryForm } from '../../../kernel/http/request/form.js';
import { PREPARATION, type WithId } from '../../../kernel/http/request/route-kinds.js';
import type { PaymentLinkRow } from '../../../kernel/store/rows.js';
import type { CheckoutRouteDeps } from '../routes/checkout-deps.js';
import { contentFault, createdParameters } from '../routes/forms.js';
import { LAYOUT_PICTURES } from './link-layout.js';
import { BILLING_PARTS, LINK_OPTIONS, readBillingParts, readLinkOptions } from './link-options.js';
import type { MailedReceipts } from './mailed-receipts.js';
import { PAYMENT_LINK_LIMITS, type PaymentLinks } from './payment-links.js';

/** What payment links and their pages work with. */
export interface PayByLinkDeps extends CheckoutRouteDeps {
  /** Links that merchants send to their shoppers. */
  readonly links: PaymentLinks;
  /** Sends receipts by e-mail; absent where no mail server is configured. */
  readonly receipts?: MailedReceipts;
}

const CODES = {
  made: '000.200.100',
  found: '000.000.100',
  removed: '000.200.102',
  noSms: '800.121.300',
} as const;
/** Path of the page of a link. */
export const LINK_PAGE_PATH = '/pay/:id';
/** A host of other characters could say more in a policy of the page than where its pictures are. */
const PLAIN_URL = /^https?:\/\/[a-z0-9.-]+(:\d+)?(\/|$)/i;
const UNIT_MS = { HOUR: 3_600_000, DAY: 86_400_000 } as const;
const OWN: ReadonlySet<string> = new Set(PAY_BY_LINK_PARAMETERS.map(({ name }) => name));

interface WithCheckout {
  Params: { id: string; checkoutId: string };
}

/** Payment links, an addition (docs/pay-by-link.md): a merchant makes one and sends it to a shopper. */
export function payByLinkRoutes(server: FastifyInstance, deps: PayByLinkDeps): void {
  const { links, clock, shopper, store } = deps;

  server.post('/paybylink/v1', PREPARATION.make, async (request, reply) => {
    const form = formOf(request);
    const purchase = createdParameters({
      ...form,
      parameters: form.parameters.filter(([name]) => !OWN.has(name)),
    });
    const own = ownParameters(form.parameters.filter(([name]) => OWN.has(name)));
    const entityId = purchase.values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    checkCreditRight(callerOf(request), purchase.values.get('paymentType'));
    const wrong = contentFault(purchase, clock.nowMs());
    if (wrong) return reply.code(400).send(contentAnswer(deps, wrong));
    const parameters = { purchase: Object.fromEntries(purchase.values), link: Object.fromEntries(own) };
    const row = await links.create(entityId, parameters, lifeOf(own), request.reservedPaymentId);
    const link = linkOf(row);
    const qrCode = own.get('createQRCode') === 'true' ? { qrCode: await qrCodeOf(link) } : {};
    return { id: row.id, link, ...qrCode, ...envelope(deps, CODES.made) };
  });

  server.get<WithId>('/paybylink/v1/:id', PREPARATION.read, async (request) => {
    const row = await ownLink(deps, request, request.params.id);
    const { is } = await links.standing(row.id, false);
    const state = is === 'paid' ? 'paid' : clock.nowMs() >= row.expiresAtMs ? 'expired' : 'open';
    const { checkoutId, paymentId } = (await links.find(row.id)) ?? row;
    const more = { ...(checkoutId && { checkoutId }), ...(paymentId && { paymentId }) };
    return { id: row.id, link: linkOf(row), state, ...more, ...envelope(deps, CODES.found) };
  });

  server.delete<WithId>('/paybylink/v1/:id', PREPARATION.change, async (request) => {
    const row = await ownLink(deps, request, request.params.id);
    await links.remove(row);
    return { id: row.id, ...envelope(deps, CODES.removed) };
  });

  // The gateway sends no text messages: the merchant sends the link.
  server.post<WithId>('/paybylink/v1/:id/sms', PREPARATION.change, async (request, reply) => {
    const { values, errors } = validateParameters(formOf(request).parameters, PAY_BY_LINK_SMS_PARAMETERS);
    if (errors.length > 0) throw invalidParameters(errors);
    await ownLink(deps, request, request.params.id, values.get('entityId'));
    return reply.code(400).send(envelope(deps, CODES.noSms));
  });

  server.get<WithCheckout>(
    '/paybylink/v1/:id/checkouts/:checkoutId/payment',
    PREPARATION.read,
    async (request) => {
      const row = await ownLink(deps, request, request.params.id);
      const checkout =
        row.checkoutId === request.params.checkoutId
          ? await store.get('checkouts', [row.checkoutId])
          : undefined;
      if (!checkout) throw new RequestRefused('nothing-found');
      const { posted, postedId, id } = checkout;
      const payment =
        posted === 'payment' && postedId !== null
          ? await deps.service.lookUp(postedId, async () => true)
          : undefined;
      return { ...(payment ? await paymentBody(deps, payment) : envelope(deps, '000.200.000')), ndc: id };
    },
  );

  const linkOf = ({ id }: PaymentLinkRow): string => `${shopper?.origin ?? ''}/pay/${id}`;
}

/** A link that the caller may use. @throws RequestRefused for one that is unknown or another's */
async function ownLink(
  { links, store }: PayByLinkDeps,
  request: FastifyRequest,
  id: string,
  sent = request.method === 'POST' ? undefined : readParameters(queryForm(request)).get('entityId'),
): Promise<PaymentLinkRow> {
  const user = await callerOf(request).actsAs(sent);
  const row = await links.find(id);
  if (!row || !(await isWithin(store, row.entityId, user))) throw new RequestRefused('nothing-found');
  return row;
}

/** @throws RequestRefused naming every fault */
function ownParameters(parameters: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const validated = validateParameters(parameters, PAY_BY_LINK_PARAMETERS);
  const values: ReadonlyMap<string, string> = validated.values;
  const found: ParameterError[] = [...validated.errors];
  const refuse = (name: string, message: string) =>
    found.push({ name, value: values.get(name) ?? null, message });
  const options = values.get('wpwlOptions');
  if (options !== undefined && !readLinkOptions(options))
    refuse('wpwlOptions', `must be an object of JSON with no other members than ${LINK_OPTIONS.join(', ')}`);
  for (const name of ['collectBilling', 'mandatoryBilling']) {
    const list = values.get(name);
    if (list !== undefined && !readBillingParts(list))
      refuse(name, `must be "all", or a list parted by commas of ${BILLING_PARTS.join(', ')}`);
  }
  for (const name of ['termsAndConditionsUrl', 'privacyPolicyUrl', ...LAYOUT_PICTURES]) {
    const url = values.get(name);
    if (url !== undefined && !PLAIN_URL.test(url))
      refuse(name, 'must be of http or https, with a plain host');
  }
  if (lifeOf(values) > UNIT_MS.DAY * 365) refuse('validUntil', 'must end within 365 days');
  if (found.length > 0) throw invalidParameters(found);
  return values;
}

function lifeOf(own: ReadonlyMap<string, string>): number {
  const count = own.get('validUntil');
  const unit = own.get('validUntilUnit') === 'HOUR' ? 'HOUR' : 'DAY';
  return count === undefined ? PAYMENT_LINK_LIMITS.lifeMs : Number(count) * UNIT_MS[unit];
}

/** A picture of the link, as an address of the type `data`. */
async function qrCodeOf(link: string): Promise<string> {
  const { toDataURL } = await import('qrcode');
  return toDataURL(link, { errorCorrectionLevel: 'M', margin: 2 });
}
