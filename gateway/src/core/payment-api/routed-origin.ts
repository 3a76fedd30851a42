import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { decodeTlv, findTlv, TlvError } from '@tillbridge/wire/emv/tlv.js';
import { brandOfAid } from '@tillbridge/wire/payment/brand-of-aid.js';
import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import { present } from '@tillbridge/wire/present.js';
import type { FastifyRequest } from 'fastify';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { Store } from '../../kernel/store/store.js';
import { merchantOf } from '../payments/cards/registered.js';
import { actingFor, ownerOf, routedTo } from '../payments/lookup/routing.js';
import type { RoutingFacts } from '../payments/routing/routing-rules.js';
import type { ForcedVerdict, RestOrigin } from '../payments/rules/requests.js';
import { isUnreadable } from './card-present.js';
import { registrationIdOf } from './registration.js';

/** Tags that name the application of a card: dedicated file name, application identifier of card and terminal. */
const AID_TAGS = ['84', '4F', '9F06'] as const;
/** Refusal of a payment that no rule of its merchant gives to a channel (docs/result-codes.md: "not set up for this currency, country or brand"). */
const NO_CHANNEL: ForcedVerdict = { kind: 'refused', resultCode: '600.200.500' };

/** The entity that a payment is made for; where no rule fits, the merchant and the refusal. */
interface RoutedOrigin {
  readonly origin: RestOrigin;
  readonly refusal?: ForcedVerdict;
}

/**
 * Whom a payment on its own is made for. One that was begun before under the request's Idempotency-Key stays where it is, whatever
 * the rules say by now.
 * @throws StoreUnavailableError
 */
export async function originOfPayment(
  store: Store,
  request: Pick<FastifyRequest, 'reservedPaymentId'>,
  entityId: string,
  values: ParameterValues,
): Promise<RoutedOrigin> {
  const entity =
    (await begunFor(store, request)) ??
    (await routedTo(store, entityId, await factsWithStored(store, entityId, values)));
  if (entity === undefined) return { origin: originOf(request, entityId), refusal: NO_CHANNEL };
  return { origin: originOf(request, entity) };
}

/** Whom a request on an earlier payment is made for. @throws StoreUnavailableError */
export async function originOfFollowUp(
  store: Store,
  request: FastifyRequest,
  entityId: string,
  followedId: string,
): Promise<RestOrigin> {
  const entity = (await begunFor(store, request)) ?? (await actingFor(store, entityId, followedId));
  return originOf(request, entity);
}

async function begunFor(
  store: Store,
  { reservedPaymentId }: Pick<FastifyRequest, 'reservedPaymentId'>,
): Promise<string | undefined> {
  return reservedPaymentId === undefined ? undefined : ownerOf(store, reservedPaymentId);
}

/** The entity, and the payment's id where one stands for the request's Idempotency-Key. */
function originOf(
  { reservedPaymentId: paymentId }: Pick<FastifyRequest, 'reservedPaymentId'>,
  entityId: string,
): RestOrigin {
  return { kind: 'rest', entityId, ...present({ paymentId }) };
}

/** The facts that routing rules look at: currency, brand as sent or of the card, country of the bill. */
function factsOf(values: ParameterValues): RoutingFacts {
  return present({
    currency: values.get('currency'),
    brand: values.get('paymentBrand') ?? brandOfCard(values),
    country: values.get('billing.country'),
  });
}

/** The facts, with the brand of stored payment details that the merchant of the entity has. */
async function factsWithStored(
  store: Store,
  entityId: string,
  values: ParameterValues,
): Promise<RoutingFacts> {
  const facts = factsOf(values);
  const id = registrationIdOf(values);
  if (id === undefined || facts.brand !== undefined) return facts;
  const row = await store.get('registrations', [id]);
  const isOwn = row !== undefined && row.merchantId === (await merchantOf(store, entityId));
  return { ...facts, ...present({ brand: isOwn ? row.brand : undefined }) };
}

function brandOfCard(values: ParameterValues): string | undefined {
  const number = values.get('card.number');
  if (number !== undefined) return detectBrand(number)?.key;
  const iccData = isUnreadable(values) ? undefined : values.get('pos.iccDataRequest');
  return iccData === undefined ? undefined : brandOfChip(iccData);
}

function brandOfChip(iccDataHex: string): string | undefined {
  try {
    const tlv = decodeTlv(fromHex(iccDataHex));
    for (const tag of AID_TAGS) {
      const aid = findTlv(tlv, tag);
      if (aid) return brandOfAid(toHex(aid).toUpperCase());
    }
    return undefined;
  } catch (error) {
    // The service refuses an unreadable value with its own code.
    if (error instanceof TlvError) return undefined;
    throw error;
  }
}
