import type { AcquirerMoneyRequest, MoneyRequestKind } from '../../acquirers/acquirer.js';
import type { KsnUse } from '../../security/devices/ksn-use.js';
import { newId } from '../../store/new-id.js';
import type { IntentRow } from '../../store/rows.js';
import type { Change } from '../../store/store.js';
import { AccountDataError } from '../decide/account-data-error.js';
import { checkAtcReplay, REPLAY_CODE, ReplayError, type UsedAtc, usedAtcOf } from '../decide/atc-replay.js';
import { decideClaim } from '../decide/decide-claim.js';
import { draftPayment, type NewPayment, NO_CARD } from '../decide/drafts.js';
import { approvedAs, type IntentDetail, openIntent, type Recovery } from '../decide/intent-detail.js';
import { messageGuards, placeOf, sourceOf } from '../decide/message-changes.js';
import type { PreparedCard } from '../decide/prepared-card.js';
import { type Origin, type PaymentRequest, type PaymentResult, TryLaterError } from '../decide/requests.js';
import { policyRefusal } from '../policy/policy-refusal.js';
import { admitAccountData, admitAgain } from './admit-account-data.js';
import { askAcquirer } from './ask-acquirer.js';
import { checkOffline, checkTc } from './check-offline.js';
import type { NewIds } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';
import { policyOf } from './policy-of.js';
import { type LookedAtCard, prepareCard, typedTrace } from './prepare-card.js';
import { refuseAccountData } from './refuse-account-data.js';
import { commitBareResult, commitRefusal } from './refuse-payment.js';
import { resolveIntent } from './resolve-intent.js';
import { retryOnConflict } from './retry.js';
import { takeWindow } from './take-window.js';

/** Codes of refusals before a card is looked at. */
const CODES = {
  noLink: '600.200.700',
  offlineType: '600.200.310',
  amount: '100.550.300',
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
    const admitted = await admitAccountData(context, request, ids.paymentId);
    if (admitted) uses.push(admitted.use);
    const card = await prepareCard(context, request, ids.paymentId, admitted);
    return await authorizeCard(context, request, ids, card);
  } catch (error) {
    if (!(error instanceof AccountDataError)) throw error;
    const draft = draftPayment(request, newPayment(context, ids, null), NO_CARD, null);
    return refuseAccountData(context, request, draft, { error, uses, sinceMs });
  }
}

/** @throws AccountDataError when another request was faster with a KSN; as `PaymentService.authorize` */
async function authorizeCard(
  context: PaymentContext,
  request: PaymentRequest,
  ids: NewIds,
  card: LookedAtCard,
): Promise<PaymentResult> {
  const { origin } = request;
  const refuse = async (refusal: Refusal): Promise<PaymentResult> => {
    const draft = draftPayment(request, newPayment(context, ids, null), card.trace, null);
    return commitRefusal(context, origin, draft, refusal, await card.takeKsns());
  };
  if (!card.ok) return retryOnConflict(context, origin, () => refuse(card));
  const untrusted = await checkTc(context, request, card.cryptogram);
  if (untrusted) return retryOnConflict(context, origin, () => refuse(untrusted));
  const sealed = context.vault.seal(card.toSeal, { entityId: origin.entityId, intentId: ids.intentId });
  const draft = draftPayment(request, newPayment(context, ids, ids.intentId), card.trace, sealed.id);
  const counted = usedAtcOf(context.fingerprint, request, card.account.pan, ids.paymentId);
  // A cryptogram that nobody here can check uses the counter once the acquirer approves; an invalid one uses nothing.
  const intent = intentOf(
    context,
    request,
    ids.intentId,
    draft,
    card.cryptogram === 'unknown' ? counted : undefined,
  );
  const ended = await retryOnConflict(context, origin, async () => {
    const claim = await takeClaim(context, request, ids.paymentId);
    const ksns = await card.takeKsns();
    if (!claim) return commitBareResult(context, origin, 'refused', CODES.duplicate, ksns);
    const window = await takeWindow(context, request);
    const used = card.cryptogram === 'invalid' ? [] : await takeAtc(context, origin, counted);
    if (!used) return refuse(REPLAY);
    await context.store.commit([
      ...messageGuards(origin),
      { op: 'insert', table: 'vault', row: sealed },
      { op: 'insert', table: 'intents', row: intent },
      ...claim,
      ...ksns,
      ...(card.cryptogram === 'valid' ? used : []),
      ...window,
    ]);
    return undefined;
  });
  return ended ?? askAcquirer(context, intent, () => acquirerRequest(request, ids.intentId, card));
}

function refuseInTime(
  context: PaymentContext,
  request: PaymentRequest,
  ids: NewIds,
  refusal: Refusal,
): Promise<PaymentResult> {
  const draft = draftPayment(request, newPayment(context, ids, null), typedTrace(request), null);
  return retryOnConflict(context, request.origin, () =>
    commitRefusal(context, request.origin, draft, refusal),
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
  const card = await preparedAgain(context, request, intent);
  if (!card?.ok)
    throw new TryLaterError('the account data of the message cannot be read now', intent.paymentId);
  return askAcquirer(context, intent, () => acquirerRequest(request, intent.id, card));
}

async function preparedAgain(
  context: PaymentContext,
  request: PaymentRequest,
  { paymentId }: IntentRow,
): Promise<LookedAtCard | undefined> {
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
  if (request.verdict?.kind === 'refused')
    return { resultCode: request.verdict.resultCode, responseCode: null };
  if (request.testMode === 'EXTERNAL') return { resultCode: CODES.noLink, responseCode: null };
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
  { store, clock, onFault, alerts }: PaymentContext,
  origin: Origin,
  use: UsedAtc | undefined,
): Promise<Change[] | undefined> {
  if (!use) return [];
  const verdict = checkAtcReplay(await store.get('usedAtcs', [use.card, use.counter]), use, clock.nowMs());
  if (verdict.free) return [verdict.change];
  const replay = new ReplayError(use, verdict.heldBy);
  onFault('a card was replayed', replay);
  await alerts.raise({ code: 'card-replayed', subject: sourceOf(origin), detail: replay.message });
  return undefined;
}

function acquirerRequest(
  request: PaymentRequest,
  acquirerReference: string,
  card: PreparedCard,
): AcquirerMoneyRequest {
  const { origin, type, amount, offline, voice, partialAllowed } = request;
  return {
    kind: requestKind(request),
    acquirerReference,
    amount,
    account: card.account,
    ...(origin.kind === 'bridge' && { messageId: origin.messageId }),
    ...(card.pos && { pos: card.pos }),
    ...(request.billing && { billing: request.billing }),
    ...(request.silentMs !== undefined && { silentMs: request.silentMs }),
    ...(type === 'DB' && { captureNow: true }),
    ...(offline?.kind === 'deferred' && { deferred: true }),
    ...(partialAllowed && { partialAllowed }),
    ...(voice && { approvalCode: voice.approvalCode }),
  };
}

function requestKind({ type, offline }: PaymentRequest): MoneyRequestKind {
  if (type === 'CD') return 'credit';
  return offline?.kind === 'card-approved' ? 'advice' : 'authorization';
}

function newPayment(
  { acquirer, clock, random }: PaymentContext,
  ids: NewIds,
  acquirerReference: string | null,
): NewPayment {
  return {
    id: ids.paymentId,
    acquirer: acquirer.name,
    acquirerReference,
    captureReference: newId(random),
    nowMs: clock.nowMs(),
  };
}

function intentOf(
  { random }: PaymentContext,
  request: PaymentRequest,
  intentId: string,
  draft: IntentDetail['draft'],
  atc: UsedAtc | undefined,
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
    ...approvedAs(request.verdict),
    ...(request.risk && { risk: request.risk }),
    ...(atc && { atc }),
    ...(request.createRegistration && { registers: true }),
  };
  return openIntent(intentId, requestKind(request), null, detail);
}
