import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { present } from '@tillbridge/wire/present.js';
import type { Echo } from '../../../kernel/api/echo.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { IntentRow, UsedAtcRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { KsnUse } from '../../../security/devices/ksn-use.js';
import { holdAgreement } from '../cards/claim-agreement.js';
import { newRegistration } from '../cards/register.js';
import { takeTokenOf } from '../cards/wallet-card.js';
import { reverseCart, takeCart } from '../cart/cart-payments.js';
import { takeProof } from '../instruments/proof-use.js';
import { merchantFor } from '../lookup/acquirer-route.js';
import { policyOf } from '../lookup/policy-of.js';
import { beginGuards } from '../ownership/begin-in-time.js';
import { policyRefusal } from '../policy/policy-refusal.js';
import { AccountDataError } from '../rules/account-data-error.js';
import { checkAtcReplay, REPLAY_CODE, ReplayError, type UsedAtc, usedAtcOf } from '../rules/atc-replay.js';
import { decideClaim } from '../rules/decide-claim.js';
import { draftPayment, NO_CARD } from '../rules/drafts.js';
import { detailOf } from '../rules/intent-detail.js';
import { checkoutGuard, sourceOf } from '../rules/message-changes.js';
import {
  type Origin,
  OutsidePolicyError,
  type PaymentRequest,
  type PaymentResult,
} from '../rules/requests.js';
import { resultOf } from '../rules/results.js';
import { admitAccountData, admitAgain, type PrefetchedDevice } from './admit-account-data.js';
import { askAcquirer } from './ask-acquirer.js';
import { checkOffline, checkTc } from './check-offline.js';
import { type GatesVerdict, passGates, withShown } from './gates.js';
import type { NewIds } from './message-ids.js';
import { acquirerRequest, intentOf, newPayment, wayBack } from './new-payment.js';
import type { PaymentContext } from './payment-context.js';
import { type CardPreparation, NO_ROUTE, prepareCard, routeOf, typedTrace } from './prepare-card.js';
import { refuseAccountData } from './refuse-account-data.js';
import { commitBareResult, commitRefusal } from './refuse-payment.js';
import { expireIntent, resolveIntent } from './resolve-intent.js';
import { retryOnConflict } from './retry.js';
import { waitingAtOnce } from './suspend.js';
import { takeCardTry } from './take-card-try.js';
import { takeWindow } from './take-window.js';

/** Codes of refusals before a card is looked at. */
const CODES = {
  offlineType: '600.200.310',
  amount: '100.550.300',
  currency: '100.550.401',
  duplicate: '200.200.106',
  expired: '100.396.103',
} as const;

/** Answer to a replayed card: 94 is a duplicate transmission (ISO 8583, field 39). */
const REPLAY = { resultCode: REPLAY_CODE, responseCode: '94' } as const;

/** Carries out a new payment: checks, intent, acquirer, outcome. @throws as `PaymentService.authorize` */
export async function authorizeNew(
  context: PaymentContext,
  request: PaymentRequest,
  ids: NewIds,
  device: PrefetchedDevice,
): Promise<PaymentResult> {
  const sinceMs = context.clock.monotonicMs();
  const early =
    earlyRefusal(request) ??
    policyRefusal(request, await policyOf(context.store, request.origin.entityId)) ??
    (await checkOffline(context, request));
  // Account data of a terminal is not looked at for a payment that is refused anyway.
  if (early) return refuseInTime(context, request, ids, early);
  const uses: KsnUse[] = [];
  try {
    const admitted = await admitAccountData(context, request, ids.paymentId, device);
    if (admitted) uses.push(admitted.use);
    const card = await prepareCard(context, request, ids.paymentId, admitted);
    return await authorizeCard(context, request, ids, card);
  } catch (error) {
    if (!(error instanceof AccountDataError)) throw error;
    const draft = draftPayment(request, newPayment(context, ids, null), NO_CARD, null);
    return refuseAccountData(context, request, draft, { error, uses, sinceMs });
  }
}

/** Commits a refusal of the payment; `shown`: what its answers show besides the request. */
type Refuse = (refusal: Refusal, shown?: Echo) => Promise<PaymentResult>;

/** A new payment that the gates let go on, before it is committed. */
interface BegunPayment {
  readonly request: PaymentRequest;
  readonly card: ReadyCard;
  readonly intent: IntentRow;
  /** When the gates decided, in milliseconds since 1970. */
  readonly atMs: number;
  /** The card's counter, to be used by this payment alone. */
  readonly atc: UsedAtc | undefined;
  /** Rows of the vault and of the registration, which the intent names. */
  readonly named: readonly Change[];
  /** The wait and the events of a payment that does not go to the acquirer at once. */
  readonly waits: readonly Change[];
}

type ReadyCard = Extract<CardPreparation, { readonly ok: true }>;
type PassedGates = Exclude<GatesVerdict, { readonly verdict: 'refuse' }>;

/** @throws AccountDataError when another request was faster with a KSN; as `PaymentService.authorize` */
async function authorizeCard(
  context: PaymentContext,
  received: PaymentRequest,
  ids: NewIds,
  card: CardPreparation,
): Promise<PaymentResult> {
  const { origin } = received;
  const refuse = refuser(context, received, ids, card);
  const refuseAtOnce: Refuse = (...refusal) => retryOnConflict(context, origin, () => refuse(...refusal));
  if (!card.ok) return refuseAtOnce(card);
  const foreign = foreignCurrency(received, card.trace.brand);
  if (foreign) return refuseAtOnce(foreign);
  const route = card.route ?? (await routeOf(context, received, card));
  if (!route) return refuseAtOnce(NO_ROUTE);
  const untrusted = await checkTc(context, received, card.pos?.cryptogram);
  if (untrusted) return refuseAtOnce(untrusted);
  const { instrument } = card;
  const gated = await passGates(context.gates ?? [], {
    paymentId: ids.paymentId,
    request: received,
    instrument,
  });
  const atMs = context.clock.nowMs();
  if (gated.verdict === 'refuse')
    return refuseAtOnce({ ...gated, decisions: timed(gated, atMs), responseCode: null }, gated.shown);
  const begun = await beginPayment(context, ids, card, { gated, atMs, acquirer: route.name });
  const ended = await retryOnConflict(context, origin, () => commitIntent(context, begun, refuse));
  if (ended) return ended;
  const { request, intent } = begun;
  if (intent.state === 'waiting') return resultOf(detailOf(intent).draft);
  const { merchant } = route;
  return askAcquirer(context, intent, () =>
    acquirerRequest(request, ids.intentId, card, {
      merchant,
      returnUrl: wayBack(context, ids.paymentId, instrument),
    }),
  );
}

/** Refuses the payment: each try counts for the card, its KSNs are used, and what its cart reserved is given back. */
function refuser(
  context: PaymentContext,
  received: PaymentRequest,
  ids: NewIds,
  card: CardPreparation,
): Refuse {
  return async (refusal, shown) => {
    const draft = draftPayment(showing(received, shown), newPayment(context, ids, null), card.trace, null);
    const tried = card.ok ? await takeCardTry(context, received, card.instrument) : { changes: [] };
    const more = [
      ...(await card.takeKsns()),
      ...(await reverseCart(context, received, ids.paymentId)),
      ...tried.changes,
    ];
    return commitRefusal(context, received.origin, draft, refusal, more);
  };
}

function timed({ decisions }: GatesVerdict, atMs: number) {
  return decisions.map((decision) => ({ ...decision, atMs }));
}

/** The intent of a payment, with the rows that are stored with it. @throws StoreUnavailableError */
async function beginPayment(
  context: PaymentContext,
  ids: NewIds,
  card: ReadyCard,
  {
    gated,
    atMs,
    acquirer,
  }: { readonly gated: PassedGates; readonly atMs: number; readonly acquirer: string },
): Promise<BegunPayment> {
  const { instrument, toSeal } = card;
  const { intentId, paymentId } = ids;
  const request = showing(gated.request, gated.shown);
  const { entityId } = request.origin;
  const sealed = toSeal && context.vault.seal(toSeal, { entityId, intentId });
  const payment = newPayment(context, ids, intentId, acquirer);
  const draft = draftPayment(request, payment, card.trace, sealed?.id ?? card.vaultId ?? null);
  const atc =
    instrument.kind === 'card'
      ? usedAtcOf(context.fingerprint, request, instrument.pan, paymentId)
      : undefined;
  const registering = request.createRegistration
    ? await newRegistration(context, request, card, paymentId, sealed?.id)
    : undefined;
  // A cryptogram that cannot be checked here uses the counter once the acquirer approves; an invalid one uses nothing.
  const open = intentOf(context, request, intentId, draft, {
    atc: card.pos?.cryptogram === 'unknown' ? atc : undefined,
    decisions: timed(gated, atMs),
    registers: registering?.row.id,
  });
  const { intent, waits } = waitingAtOnce(context, open, request, instrument, gated);
  const review = isReview(gated) ? await reviewEvents(context, intent) : [];
  return {
    request,
    card,
    intent,
    atMs,
    atc: card.pos?.cryptogram === 'invalid' ? undefined : atc,
    named: [
      ...(sealed ? [{ op: 'insert', table: 'vault', row: sealed } as const] : []),
      ...(registering?.isNew
        ? [{ op: 'insert', table: 'registrations', row: registering.row } as const]
        : []),
    ],
    waits: [...waits, ...review],
  };
}

/** Commits the intent with all that the payment takes; gives the result of a refusal where something is not to be had. */
async function commitIntent(
  context: PaymentContext,
  { request, card, intent, atMs, atc, named, waits }: BegunPayment,
  refuse: Refuse,
): Promise<PaymentResult | undefined> {
  const { checkoutId, origin } = request;
  const { paymentId } = intent;
  // None of these waits for another one: together they are one way to the database.
  const [claim, ksns, usedAtc, token, usedProof, cart, checkout, window, held, tried] = await Promise.all([
    takeClaim(context, request, paymentId),
    card.takeKsns(),
    atc && context.store.get('usedAtcs', [atc.card, atc.counter]),
    takeTokenOf(context, card.walletToken, paymentId),
    request.proof && context.store.get('usedProofs', [request.proof.merchantId, request.proof.proof]),
    takeCart(context, request, paymentId),
    checkoutId === undefined ? undefined : context.store.get('checkouts', [checkoutId]),
    takeWindow(context, request),
    heldFor(context, intent, request),
    takeCardTry(context, request, card.instrument),
  ]);
  if (!claim) return commitBareResult(context, origin, 'refused', CODES.duplicate, ksns);
  if (window.broken !== undefined) throw new OutsidePolicyError(window.broken);
  if (tried.refusal) return refuse(tried.refusal);
  const used = await takeAtc(context, origin, atc, usedAtc);
  if (!used) return refuse(REPLAY);
  if (token.refusal) return refuse(token.refusal);
  const proof = takeProof(usedProof, request.proof, { paymentId, nowMs: atMs });
  if (proof.refusal) return refuse(proof.refusal);
  if (cart.refusal) return refuse(cart.refusal);
  if (held.refusal) return refuse({ ...held.refusal, responseCode: null });
  await context.store.commit([
    ...beginGuards(context, origin),
    ...checkoutGuard(request, paymentId, checkout),
    ...named,
    { op: 'insert', table: 'intents', row: intent },
    ...claim,
    ...ksns,
    ...(card.pos?.cryptogram === 'valid' ? used : []),
    ...token.changes,
    ...proof.changes,
    ...cart.changes,
    ...window.changes,
    ...held.changes,
    ...tried.changes,
    ...waits,
  ]);
  return undefined;
}

/** Why a method of payment cannot be paid in the currency; undefined where it can (SEPA: EUR alone). */
function foreignCurrency({ amount }: PaymentRequest, brand: string | null): Refusal | undefined {
  const { currency = amount.currency } = accountMethodOf(brand ?? undefined) ?? {};
  if (currency === amount.currency) return undefined;
  return {
    resultCode: CODES.currency,
    responseCode: null,
    detail: `currency: must be ${currency} for paymentBrand ${brand}`,
  };
}

/** What holds the agreement id for a first payment that goes to the acquirer now; one that waits holds it when it goes on. */
async function heldFor(
  { store, clock }: PaymentContext,
  { state, paymentId }: IntentRow,
  { agreement }: PaymentRequest,
): ReturnType<typeof holdAgreement> {
  if (state === 'waiting') return { changes: [] };
  return holdAgreement(store, agreement, { paymentId, nowMs: clock.nowMs() });
}

/** Does a person have to look at it first? */
function isReview(gated: GatesVerdict): boolean {
  return gated.verdict === 'wait' && gated.waiting.kind === 'review';
}

/** The events that report to the merchant that a payment waits for a person. @throws StoreUnavailableError */
async function reviewEvents(
  { events, clock }: PaymentContext,
  intent: IntentRow,
): Promise<readonly Change[]> {
  const { draft } = detailOf(intent);
  return (await events.of(draft.entityId))(draft, clock.nowMs());
}

/** The request, whose answers show more. */
function showing(request: PaymentRequest, shown: Echo = {}): PaymentRequest {
  return { ...request, echo: withShown(request.echo ?? {}, shown) };
}

function refuseInTime(
  context: PaymentContext,
  request: PaymentRequest,
  ids: NewIds,
  refusal: Refusal,
): Promise<PaymentResult> {
  const draft = draftPayment(request, newPayment(context, ids, null), typedTrace(request), null);
  return retryOnConflict(context, request.origin, async () =>
    commitRefusal(
      context,
      request.origin,
      draft,
      refusal,
      await reverseCart(context, request, ids.paymentId),
    ),
  );
}

/** Sends an offline record with an open intent again. The acquirer recognises the reference if it has seen it. */
export async function resendOffline(
  context: PaymentContext,
  request: PaymentRequest,
  intent: IntentRow,
): Promise<PaymentResult> {
  const resolved = await resolveIntent(context, intent);
  if (resolved) return resolved;
  if (request.offline?.kind === 'deferred' && request.offline.expired) {
    const expired = await expireIntent(context, intent, CODES.expired);
    if (expired) return expired;
    throw new TryLaterError('the acquirer has not acknowledged the reversal yet', intent.paymentId);
  }
  const card = await preparedAgain(context, request, intent);
  if (!card?.ok)
    throw new TryLaterError('the account data of the message cannot be read now', intent.paymentId);
  return askAcquirer(context, intent, async () => {
    const merchant = await merchantFor(context, detailOf(intent).draft);
    return acquirerRequest(request, intent.id, card, { merchant });
  });
}

async function preparedAgain(
  context: PaymentContext,
  request: PaymentRequest,
  { paymentId }: IntentRow,
): Promise<CardPreparation | undefined> {
  try {
    const admitted = await admitAgain(context, request, paymentId);
    return await prepareCard(context, request, paymentId, admitted);
  } catch (error) {
    if (!(error instanceof AccountDataError)) throw error;
    context.onFault('account data of a committed record was refused', error);
    return undefined;
  }
}

type Refusal = Parameters<typeof commitRefusal>[3];

function earlyRefusal(request: PaymentRequest): Refusal | undefined {
  if (request.verdict?.kind === 'refused') {
    const { resultCode, detail } = request.verdict;
    return { resultCode, responseCode: null, ...present({ detail }) };
  }
  // The agent sent it too late: it is recorded, and is never authorized after this answer.
  if (request.offline?.expired) return { resultCode: CODES.expired, responseCode: null };
  // A card-approved sale has taken the money: nothing can be reserved after the fact.
  if (request.offline && request.type === 'PA') return { resultCode: CODES.offlineType, responseCode: '12' };
  return request.amount.minor > 0 ? undefined : { resultCode: CODES.amount, responseCode: '13' };
}

/** The change that takes the till's reference; undefined when another sale holds it. */
async function takeClaim(
  { store }: PaymentContext,
  { origin, reference }: PaymentRequest,
  paymentId: string,
): Promise<Change[] | undefined> {
  if (origin.kind === 'rest' || reference === undefined) return [];
  const stored = await store.get('claims', [origin.agentId, reference]);
  const verdict = decideClaim(stored, { agentId: origin.agentId, reference, paymentId });
  return verdict.free ? [verdict.change] : undefined;
}

/** The change that takes the card's counter; undefined when another sale has used it. */
async function takeAtc(
  { clock, onFault, alerts }: PaymentContext,
  origin: Origin,
  use: UsedAtc | undefined,
  stored: UsedAtcRow | undefined,
): Promise<Change[] | undefined> {
  if (!use) return [];
  const verdict = checkAtcReplay(stored, use, clock.nowMs());
  if (verdict.free) return [verdict.change];
  const replay = new ReplayError(use, verdict.heldBy);
  onFault('a card was replayed', replay);
  await alerts.raise({ code: 'card-replayed', subject: sourceOf(origin), detail: replay.message });
  return undefined;
}
