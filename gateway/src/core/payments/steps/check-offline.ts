import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { AcquirerPointOfSale } from '../../acquirers/acquirer.js';
import { policyOf } from '../lookup/policy-of.js';
import { evidenceFault } from '../policy/offline-evidence.js';
import { brokenLimit, judgeAge } from '../policy/offline-limits.js';
import { sourceOf } from '../rules/message-changes.js';
import { type BridgeOrigin, OutsidePolicyError, type PaymentRequest } from '../rules/requests.js';
import type { PaymentContext } from './payment-context.js';

/** How a record without evidence is refused: manipulation is suspected. */
const FORGED = { resultCode: '800.100.158', responseCode: '59' } as const;
/** "100.396.103": the pending transaction timed out. */
const EXPIRED = { resultCode: '100.396.103', responseCode: null } as const;

/**
 * Does not take the agent's word for an offline record: looks at the card's evidence, the store's limits and the age, before the account data.
 * @returns how it is refused, for ever; undefined where nothing is wrong
 * @throws OutsidePolicyError beyond the store's limits: it is parked, and a person decides
 * @throws TryLaterError where the clocks do not agree on its age: nothing is decided meanwhile
 */
export async function checkOffline(
  context: PaymentContext,
  request: PaymentRequest,
): Promise<typeof FORGED | typeof EXPIRED | undefined> {
  const { origin, offline, amount } = request;
  if (!offline || origin.kind === 'rest') return undefined;
  const { store, clock, alerts } = context;
  const fault = evidenceFault(request);
  if (fault !== undefined) return forged(context, origin, fault);
  const { entityId } = origin;
  const policy = await policyOf(store, entityId);
  const limit = brokenLimit(offline, amount, policy);
  const nowMs = clock.nowMs();
  const age = judgeAge(offline, nowMs, policy);
  if (limit === undefined && age === 'young') return undefined;
  // Reversed before it came: it is refused for that.
  if (await store.get('tombstones', [origin.agentId, origin.messageId])) return undefined;
  if (limit !== undefined) throw new OutsidePolicyError(limit);
  if (age !== 'disputed') return EXPIRED;
  const ages = `${hours(nowMs - offline.decidedAtMs)} h by the gateway, ${hours(offline.ageMs ?? 0)} h by the agent`;
  const detail = `message ${origin.messageId}: ${ages}`;
  await alerts.raise({ code: 'offline-age-disputed', subject: sourceOf(origin), entityId, detail });
  throw new TryLaterError(`the age of the record is not sure: ${ages}`);
}

/** The same for what was found of the TC where the issuer's keys are here; where they are not, the acquirer's issuer looks at it. */
export async function checkTc(
  context: PaymentContext,
  { origin, offline }: PaymentRequest,
  cryptogram: AcquirerPointOfSale['cryptogram'],
): Promise<typeof FORGED | undefined> {
  if (offline?.kind !== 'card-approved' || cryptogram !== 'invalid' || origin.kind === 'rest')
    return undefined;
  return forged(context, origin, 'the TC is not the card’s');
}

async function forged(
  { alerts }: PaymentContext,
  origin: BridgeOrigin,
  fault: string,
): Promise<typeof FORGED> {
  const detail = `message ${origin.messageId}: ${fault}`;
  await alerts.raise({ code: 'offline-record-refused', subject: sourceOf(origin), detail });
  return FORGED;
}

function hours(ms: number): string {
  return (ms / 3_600_000).toFixed(1);
}
