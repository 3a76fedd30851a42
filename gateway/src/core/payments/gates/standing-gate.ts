import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Store } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import type { AcquirerCard } from '../../acquirers/acquirer.js';
import type { StandingInstruction } from '../../acquirers/standing-instruction.js';
import { holdAgreement } from '../cards/claim-agreement.js';
import { agreementBreach } from '../instruments/agreements.js';
import { brokenStandingRule, referenceOf, standingDetail } from '../instruments/standing-instruction.js';
import { type HeldAgreement, heldAgreement } from '../registrations/held-agreement.js';
import type { PaymentRequest } from '../rules/requests.js';
import type { Gate, GateVerdict } from './gate.js';

/** What the gate works with. */
interface StandingGateDeps {
  readonly store: Pick<Store, 'get'>;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Checks payments with a card on file by the rules of the networks, and a repeated one by the agreement that it names. A first one goes on
 * with what its approval makes an agreement of. Nothing waits here.
 */
export function standingGate(deps: StandingGateDeps): Gate {
  const pass: Gate['pass'] = async ({ paymentId, request, instrument }) => {
    const { standing } = request;
    if (!standing || instrument.kind !== 'card') return { verdict: 'pass' };
    return verdictOn(deps, paymentId, request, instrument, standing);
  };
  return { name: 'standing-instruction', pass, again: pass };
}

async function verdictOn(
  { store, fingerprint, clock }: StandingGateDeps,
  paymentId: string,
  request: PaymentRequest,
  { pan, numberType }: AcquirerCard,
  sent: StandingInstruction,
): Promise<GateVerdict> {
  const { origin, referencedId } = request;
  const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const brand = detectBrand(pan)?.key ?? null;
  const held = await heldFor(store, request, sent, brand);
  const standing = held ? repeating(sent, held) : sent;
  const isLinked = referencedId !== undefined || held !== undefined;
  const broken = brokenStandingRule({ standing, brand, isLinked, today });
  if (broken) {
    const { resultCode, parameter, must, name: rule } = broken;
    const decisions = [{ rule, code: resultCode }];
    return { verdict: 'refuse', resultCode, detail: standingDetail(parameter, must), decisions };
  }
  const merchantId = (await store.get('entities', [origin.entityId]))?.parentId ?? origin.entityId;
  const card = { card: fingerprint('card', pan), numberType: numberType ?? null };
  const reference = standing.mode === 'INITIAL' ? undefined : referenceOf(standing, brand);
  const stored = reference === undefined ? undefined : await store.get('agreements', [merchantId, reference]);
  // One that is held only has no approved first payment yet.
  const made = stored?.state === 'made' ? stored : undefined;
  const begun = made ?? (held && { ...card, type: held.type ?? null, expiry: held.expiry ?? null });
  const breach = agreementBreach({ standing, today, ...card }, begun);
  if (breach) return { verdict: 'refuse', ...breach };
  if (held) return { verdict: 'pass', request: { ...request, standing }, ...shownOf(standing) };
  if (standing.mode !== 'INITIAL') return { verdict: 'pass' };
  const { type = null, expiry = null, agreementId } = standing;
  const agreement = { merchantId, ...card, type, expiry, standing: present({ agreementId }) };
  // The commit before the acquirer request guards this: here a payment is refused early, before its cardholder is authenticated.
  const { refusal } = await holdAgreement(store, agreement, { paymentId, nowMs: clock.nowMs() });
  if (refusal) return { verdict: 'refuse', ...refusal };
  return { verdict: 'pass', request: { ...request, agreement } };
}

/**
 * What the registration of a payment holds, where the merchant repeats and names no first payment; undefined for every other payment. That
 * the registration is of the same merchant was checked when its details were opened.
 */
async function heldFor(
  store: StandingGateDeps['store'],
  { registration, storedCard }: PaymentRequest,
  standing: StandingInstruction,
  brand: string | null,
): Promise<HeldAgreement | undefined> {
  const id = registration?.id ?? storedCard;
  const repeats = standing.source === 'MIT' && standing.mode !== 'INITIAL';
  if (id === undefined || !repeats || referenceOf(standing, brand) !== undefined) return undefined;
  const row = await store.get('registrations', [id]);
  return row && heldAgreement(row);
}

/** The standing instruction with the references of the first payment. */
function repeating(
  standing: StandingInstruction,
  { initialTransactionId, agreementId }: HeldAgreement,
): StandingInstruction {
  return { ...present({ agreementId }), ...standing, ...present({ initialTransactionId }) };
}

/** The references that the answer shows: the gateway named them in the place of the merchant. */
function shownOf({ initialTransactionId, agreementId }: StandingInstruction) {
  const standingInstruction = present({ initialTransactionId, agreementId });
  return { shown: { standingInstruction }, decisions: [] };
}
