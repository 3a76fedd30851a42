import type { KeyObject } from 'node:crypto';
import type { Amounts, OfflineBounds, StorePolicy } from '../payment/store-policy.js';
import { type CanonicalPart, canonicalBytes } from './canonical-bytes.js';
import { identityKeyOf, isSignedBy, signBytes } from './identity-key.js';
import type { GatewayPins, WireMoney, WireOfflineBounds, WireStorePolicy } from './messages.js';

/** For whom a policy is signed, and when. */
type PolicyAddress = Pick<WireStorePolicy, 'agentId' | 'entityId' | 'timeMs'>;

type UnsignedPolicy = Omit<WireStorePolicy, 'signature'>;

/** Separates this signature from any other that the same key makes. */
const POLICY_CONTEXT = 'tillbridge.v1 store policy';

/** The policy of an agent's store as it is sent, signed by the gateway's Ed25519 identity key. */
export function signStorePolicy(
  policy: StorePolicy,
  address: PolicyAddress,
  identityKey: KeyObject,
): WireStorePolicy {
  const { version, offline, unlinkedRefunds = false, ceilings = {} } = policy;
  const { maxTipPercent = 0, cashBack = {} } = policy;
  const message: UnsignedPolicy = {
    ...address,
    version,
    ...(offline && {
      offline: {
        general: wireBounds(offline),
        deferred: wireBounds(offline.deferred),
        maxAgeMs: offline.maxAgeMs,
      },
    }),
    unlinkedRefunds,
    ceilings: wireAmounts(ceilings),
    maxTipPercent,
    cashBack: wireAmounts(cashBack),
  };
  return { ...message, signature: signBytes(policyBytes(message), identityKey) };
}

/** Whether a policy is for this agent, and by an identity key of the pin set. */
export function isPolicyOf(agentId: string, message: WireStorePolicy, pins: GatewayPins): boolean {
  if (message.agentId !== agentId) return false;
  const bytes = policyBytes(message);
  return pins.identityKeys.some((spki) => {
    const key = identityKeyOf(spki);
    return key !== undefined && isSignedBy(bytes, message.signature, key);
  });
}

/** The policy of a message. */
export function storePolicyOf(message: WireStorePolicy): StorePolicy {
  const { version, offline, unlinkedRefunds, ceilings, maxTipPercent, cashBack } = message;
  return {
    version,
    ...(offline && {
      offline: {
        ...boundsOf(offline.general),
        deferred: boundsOf(offline.deferred),
        maxAgeMs: offline.maxAgeMs,
      },
    }),
    unlinkedRefunds,
    ceilings: amountsOf(ceilings),
    ...(maxTipPercent > 0 && { maxTipPercent }),
    ...(cashBack.length > 0 && { cashBack: amountsOf(cashBack) }),
  };
}

function wireAmounts(amounts: Amounts): readonly WireMoney[] {
  return Object.entries(amounts).map(([currency, minor]) => ({ currency, minor }));
}

function amountsOf(amounts: readonly WireMoney[]): Amounts {
  return Object.fromEntries(amounts.map(({ currency, minor }) => [currency, minor]));
}

/** Canonical bytes under the gateway's signature. Without tips and cash back they are those that agents of older builds verify. */
function policyBytes(message: UnsignedPolicy): Uint8Array {
  const { maxTipPercent, cashBack } = message;
  const hasParts = maxTipPercent > 0 || cashBack.length > 0;
  const { agentId, entityId, version, timeMs, offline, unlinkedRefunds, ceilings } = message;
  return canonicalBytes([
    POLICY_CONTEXT,
    agentId,
    entityId,
    version,
    timeMs,
    offline ? [boundParts(offline.general), boundParts(offline.deferred), offline.maxAgeMs] : [],
    unlinkedRefunds ? 1 : 0,
    moneyParts(ceilings),
    ...(hasParts ? [maxTipPercent, moneyParts(cashBack)] : []),
  ]);
}

function moneyParts(amounts: readonly WireMoney[]): readonly CanonicalPart[] {
  return amounts.map(({ currency, minor }) => [currency, minor]);
}

function boundParts(bounds: WireOfflineBounds | undefined): readonly CanonicalPart[] {
  if (!bounds) return [];
  const limits = bounds.limits.map(({ currency, perSaleMinor, sumMinor }) => [
    currency,
    perSaleMinor,
    sumMinor,
  ]);
  return [bounds.maxCount, limits];
}

function wireBounds({ limits, maxCount }: OfflineBounds): WireOfflineBounds {
  return { maxCount, limits: Object.entries(limits).map(([currency, limit]) => ({ currency, ...limit })) };
}

/** Bounds that are missing allow nothing. */
function boundsOf({ maxCount, limits }: WireOfflineBounds = { maxCount: 0, limits: [] }): OfflineBounds {
  const entries = limits.map(({ currency, perSaleMinor, sumMinor }) => [
    currency,
    { perSaleMinor, sumMinor },
  ]);
  return { maxCount, limits: Object.fromEntries(entries) };
}
