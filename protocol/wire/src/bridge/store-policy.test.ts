import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { StorePolicy } from '../payment/store-policy.js';
import { decodeEnvelope, encodeEnvelope } from './codec.js';
import { spkiOf } from './identity-key.js';
import type { Envelope, WireStorePolicy } from './messages.js';
import { isPolicyOf, signStorePolicy, storePolicyOf } from './store-policy.js';

const gateway = generateKeyPairSync('ed25519');
const backup = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
const PINS = {
  identityKeys: [spkiOf(gateway.publicKey), spkiOf(backup.publicKey)],
  tlsPins: [],
  authorities: [],
};
const POLICY: StorePolicy = {
  version: 7,
  offline: {
    limits: { EUR: { perSaleMinor: 5_000, sumMinor: 50_000 }, JPY: { perSaleMinor: 500, sumMinor: 900 } },
    maxCount: 60,
    deferred: { limits: { EUR: { perSaleMinor: 2_500, sumMinor: 5_000 } }, maxCount: 10 },
    maxAgeMs: 86_400_000,
  },
  unlinkedRefunds: true,
  ceilings: { EUR: 500_000 },
};
const ADDRESS = { agentId: 'store-1', entityId: 'e'.repeat(32), timeMs: 1_700_000_000_000 };

function overTheWire(body: WireStorePolicy): WireStorePolicy {
  const envelope: Envelope<'storePolicy'> = {
    id: 'm',
    terminalId: '',
    sequence: 0,
    kind: 'storePolicy',
    body,
  };
  return (decodeEnvelope(encodeEnvelope(envelope)) as Envelope<'storePolicy'>).body;
}

describe('the signed policy of a store', () => {
  it.each<[string, StorePolicy]>([
    ['all of a policy', POLICY],
    ['tips and cash back', { ...POLICY, maxTipPercent: 25, cashBack: { EUR: 20_000 } }],
    ['none', { version: 0, unlinkedRefunds: false, ceilings: {} }],
  ])('reads %s at the other end, by either key of the gateway', (_what, policy) => {
    for (const { privateKey } of [gateway, backup]) {
      const signed = overTheWire(signStorePolicy(policy, ADDRESS, privateKey));
      expect(isPolicyOf('store-1', signed, PINS)).toBe(true);
      expect(storePolicyOf(signed)).toEqual(policy);
    }
  });

  it('has the bytes of older builds where it allows neither tips nor cash back', () => {
    const { signature, ...signed } = signStorePolicy(POLICY, ADDRESS, gateway.privateKey);
    const more = { ...signed, signature, maxTipPercent: 25 };
    expect(isPolicyOf('store-1', more, PINS)).toBe(false);
    expect(isPolicyOf('store-1', { ...more, maxTipPercent: 0 }, PINS)).toBe(true);
    const tips = signStorePolicy({ ...POLICY, maxTipPercent: 25 }, ADDRESS, gateway.privateKey);
    expect(isPolicyOf('store-1', { ...tips, maxTipPercent: 26 }, PINS)).toBe(false);
    const cash = [{ currency: 'EUR', minor: 1 }];
    expect(isPolicyOf('store-1', { ...tips, cashBack: cash }, PINS)).toBe(false);
  });

  it('is refused by another key, and for another agent', () => {
    expect(isPolicyOf('store-1', signStorePolicy(POLICY, ADDRESS, stranger.privateKey), PINS)).toBe(false);
    const signed = signStorePolicy(POLICY, ADDRESS, gateway.privateKey);
    expect(isPolicyOf('store-2', signed, PINS)).toBe(false);
    expect(isPolicyOf('store-2', { ...signed, agentId: 'store-2' }, PINS)).toBe(false);
  });

  const { offline } = signStorePolicy(POLICY, ADDRESS, gateway.privateKey);
  const bounds = (maxCount: number) => ({ maxCount, limits: offline?.general?.limits ?? [] });
  it.each<[string, Partial<WireStorePolicy>]>([
    ['entity', { entityId: 'other' }],
    ['version', { version: 8 }],
    ['time', { timeMs: 1 }],
    ['count', { offline: { ...offline, maxAgeMs: 86_400_000, general: bounds(61) } }],
    ['age', { offline: { ...offline, maxAgeMs: 86_400_001 } }],
    ['offline part', { offline: undefined as never }],
    ['unlinked refunds', { unlinkedRefunds: false }],
    ['ceilings', { ceilings: [] }],
  ])('is refused with another %s than was signed', (_field, change) => {
    const signed = signStorePolicy(POLICY, ADDRESS, gateway.privateKey);
    expect(isPolicyOf('store-1', { ...signed, ...change }, PINS)).toBe(false);
  });

  it('allows nothing where bounds are missing', () => {
    const signed = signStorePolicy(POLICY, ADDRESS, gateway.privateKey);
    const { offline: read } = storePolicyOf({ ...signed, offline: { maxAgeMs: 1 } });
    expect(read).toEqual({ limits: {}, maxCount: 0, deferred: { limits: {}, maxCount: 0 }, maxAgeMs: 1 });
  });
});
