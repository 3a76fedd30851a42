import { present } from '@tillbridge/wire/present.js';
import { newId } from '../../../kernel/store/new-id.js';
import type { IntentRow } from '../../../kernel/store/rows.js';
import type {
  AcquirerInstrument,
  AcquirerMerchant,
  AcquirerMoneyRequest,
  MoneyRequestKind,
} from '../../acquirers/acquirer.js';
import type { UsedAtc } from '../rules/atc-replay.js';
import type { NewPayment } from '../rules/drafts.js';
import { approvedAs, type IntentDetail, openIntent, type Recovery } from '../rules/intent-detail.js';
import { placeOf } from '../rules/message-changes.js';
import type { PreparedCard } from '../rules/prepared-card.js';
import type { PaymentRequest } from '../rules/requests.js';
import type { Decision } from '../timeline/decisions.js';
import type { NewIds } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';

/** The acquirer request of a new payment. `returnUrl`: where its shopper comes back to; `merchant`: who the merchant is there. */
export function acquirerRequest(
  request: PaymentRequest,
  acquirerReference: string,
  { instrument, pos }: Pick<PreparedCard, 'instrument' | 'pos'>,
  {
    returnUrl,
    merchant,
  }: {
    readonly returnUrl?: string | undefined;
    readonly merchant?: AcquirerMerchant | undefined;
  } = {},
): AcquirerMoneyRequest {
  const { origin, type, amount, offline, voice, partialAllowed } = request;
  return {
    kind: requestKind(request),
    acquirerReference,
    amount,
    instrument,
    ...(origin.kind === 'bridge' && { messageId: origin.messageId }),
    ...(pos && { pos }),
    ...present({ tip: request.tip, cashBack: request.cashBack }),
    ...present({ returnUrl, merchant, details: request.details }),
    ...(request.billing && { billing: request.billing }),
    ...(request.standing && { standing: request.standing }),
    ...(request.authentication && { authentication: request.authentication }),
    ...(request.silentMs !== undefined && { silentMs: request.silentMs }),
    ...(type === 'DB' && { captureNow: true }),
    ...(offline?.kind === 'deferred' && { deferred: true }),
    ...(partialAllowed && { partialAllowed }),
    ...(request.promotionCode !== undefined && { promotionCode: request.promotionCode }),
    ...(voice && { approvalCode: voice.approvalCode }),
  };
}

/** Whether issuers alone decide on it: banks and account providers may ask their customer first. */
export function isDecidedAtOnce({ kind }: AcquirerInstrument): boolean {
  return kind === 'card' || kind === 'token' || kind === 'gift-card';
}

/** Where a shopper comes back to who is sent elsewhere to decide; undefined where none is, and where the gateway has no public address. */
export function wayBack(
  { shopperPages }: Pick<PaymentContext, 'shopperPages'>,
  paymentId: string,
  instrument: AcquirerInstrument,
): string | undefined {
  return isDecidedAtOnce(instrument) ? undefined : shopperPages?.(paymentId)?.back;
}

function requestKind({ type, offline }: PaymentRequest): MoneyRequestKind {
  if (type === 'CD') return 'credit';
  return offline?.kind === 'card-approved' ? 'advice' : 'authorization';
}

/** Ids and acquirer of a new payment; without a request to an acquirer, the usual one. */
export function newPayment(
  { acquirer, clock, random }: PaymentContext,
  ids: NewIds,
  acquirerReference: string | null,
  name: string = acquirer.name,
): NewPayment {
  return {
    id: ids.paymentId,
    acquirer: name,
    acquirerReference,
    captureReference: newId(random),
    nowMs: clock.nowMs(),
  };
}

/** The intent of a new payment. */
export function intentOf(
  { random, node }: PaymentContext,
  request: PaymentRequest,
  intentId: string,
  draft: IntentDetail['draft'],
  {
    atc,
    decisions,
    registers,
  }: {
    readonly atc: UsedAtc | undefined;
    readonly decisions: readonly Decision[];
    readonly registers: string | undefined;
  },
): IntentRow {
  const { origin } = request;
  // A message of a stream comes again until it is acknowledged.
  const recovery: Recovery = request.offline || request.voice ? 'await-agent' : 'fence';
  const place = placeOf(origin);
  const detail: IntentDetail = {
    draft,
    recovery,
    fenceReference: newId(random),
    ...(place && { place }),
    ...ofGates(request),
    ...(atc && { atc }),
    ...(decisions.length > 0 && { decisions }),
    ...(request.cart && { cart: request.cart }),
    ...(request.proof && { proof: request.proof }),
    ...(registers !== undefined && { registers }),
    ...(request.registration && request.standing?.mode === 'INITIAL' && { holds: request.registration.id }),
  };
  return openIntent(intentId, requestKind(request), null, detail, node?.id ?? null);
}

/** What gates may have added to a payment, as its intent keeps it. */
export function ofGates({
  verdict,
  risk,
  agreement,
}: PaymentRequest): Pick<IntentDetail, 'approvedAs' | 'risk' | 'agreement'> {
  return { ...approvedAs(verdict), ...(risk && { risk }), ...(agreement && { agreement }) };
}
