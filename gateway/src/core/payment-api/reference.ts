import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { ParameterError, Validated } from '../../kernel/api/validate.js';
import { invalidParameters } from '../../kernel/http/request/envelope.js';
import type { Store } from '../../kernel/store/store.js';
import { ownerOf } from '../payments/lookup/routing.js';
import { FOLLOW_UP_ROWS, followUpOnCard, PRACTICES } from '../payments/rules/follow-up-rows.js';
import type { FollowUpType, ForcedVerdict } from '../payments/rules/requests.js';
import { isSameMerchant } from '../payments/steps/find-target.js';

const PRACTICE = 'standingInstruction.industryPractice';
const REFERENCE = 'referenceUuid';
/** A payment whose outcome is not known yet cannot be linked to. */
const PENDING: ForcedVerdict = { kind: 'refused', resultCode: '700.400.570' };
/** Groups that carry a means of payment. */
export const INSTRUMENTS = [
  'card.',
  'pos.',
  'bankAccount.',
  'virtualAccount.',
  'tokenAccount.',
  'wallet',
  'giftCard.',
];

/** A PA on an earlier payment names the practice that it follows. */
export function practiceErrors(values: ParameterValues): ParameterError[] {
  if (values.get('paymentType') !== 'PA' || practiceOf(values)) return [];
  const message = `must be one of [${PRACTICES.join(', ')}] for a PA on an earlier payment`;
  return [{ name: PRACTICE, value: values.get(PRACTICE) ?? null, message }];
}

/** The follow-up that a request on a payment in the path requests. */
export function followUpByPath(values: ParameterValues): FollowUpType {
  const type = values.get('paymentType');
  return (type === 'PA' ? values.get(PRACTICE) : type) as FollowUpType;
}

function practiceOf(values: ParameterValues): FollowUpType | undefined {
  return PRACTICES.find((each) => each === values.get(PRACTICE));
}

/** The earlier payment that a request without a path names, and what it requests; undefined for a payment on its own. */
export function followUpByReference({
  values,
  sent,
}: Validated): { readonly paymentId: string; readonly type: FollowUpType } | undefined {
  const paymentId = values.get(REFERENCE);
  if (paymentId === undefined) return undefined;
  const type = values.get('paymentType') ?? '';
  const practice = type === 'PA' ? practiceOf(values) : undefined;
  // More money on a standing authorization is its own card's, whatever else is sent.
  if (practice && !FOLLOW_UP_ROWS[practice].own) return { paymentId, type: practice };
  const hasCard = [...sent].some((name) => INSTRUMENTS.some((prefix) => name.startsWith(prefix)));
  const followed = followUpOnCard(type);
  return hasCard || followed === undefined ? undefined : { paymentId, type: followed };
}

/**
 * The `referenceUuid` of a request must name a payment of the same merchant.
 * @throws RequestRefused that names it; StoreUnavailableError
 */
export async function checkReference(store: Store, values: ParameterValues, entityId: string): Promise<void> {
  const paymentId = values.get(REFERENCE);
  if (paymentId === undefined) return;
  const owner = await ownerOf(store, paymentId);
  if (owner !== undefined && (await isSameMerchant(store, owner, entityId))) return;
  const message = 'must be the id of an earlier payment';
  throw invalidParameters([{ name: REFERENCE, value: paymentId, message }]);
}

/** A `referenceUuid` in addition to an id in the path must be the same (the one stands for the other). @throws RequestRefused */
export function checkPath(values: ParameterValues, paymentId: string): void {
  const reference = values.get(REFERENCE);
  if (reference === undefined || reference === paymentId) return;
  throw invalidParameters([{ name: REFERENCE, value: reference, message: 'must be the id in the path' }]);
}

/** What links a payment with its own card to the one it names. @throws StoreUnavailableError */
export async function linkOf(
  store: Store,
  values: ParameterValues,
): Promise<{ readonly referencedId?: string; readonly refusal?: ForcedVerdict }> {
  const referencedId = values.get(REFERENCE);
  if (referencedId === undefined) return {};
  return (await store.get('payments', [referencedId])) ? { referencedId } : { refusal: PENDING };
}
