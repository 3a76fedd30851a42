import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, type SalePolicy } from '../machine/state/policy.js';
import { DEFERRING } from '../sale.test.support.js';
import { policyInForce, type SetBy } from './policy-in-force.js';

const HOUR_MS = 3_600_000;

/** One value of each side; absent: the side sets none. */
interface Sides {
  readonly own?: number;
  readonly received?: number;
}

/** One value on both sides; all others are far apart, the agent's configuration the stricter. */
interface Case {
  readonly own: (value: number) => Partial<SalePolicy> | SalePolicy['offline'];
  readonly received: (value: number) => Partial<StorePolicy>;
  /** What is in force of it. */
  readonly read: (policy: SalePolicy) => number | undefined;
}

const OWN = DEFERRING.offline;
const WIDE = { perSaleMinor: 1e6, sumMinor: 1e7 };
const RECEIVED: NonNullable<StorePolicy['offline']> = {
  limits: { EUR: WIDE },
  maxCount: 1e6,
  deferred: { limits: { EUR: WIDE }, maxCount: 1e6 },
  maxAgeMs: 1e9 * HOUR_MS,
};
const ownEur = { perSaleMinor: 1e5, sumMinor: 1e5, ...OWN.limits.EUR };
const ownDeferredEur = { perSaleMinor: 1e5, sumMinor: 1e5, ...OWN.deferred.limits.EUR };
const own = (change: Partial<SalePolicy['offline']>): Partial<SalePolicy> => ({
  offline: { ...OWN, ...change },
});
const received = (change: Partial<typeof RECEIVED>): Partial<StorePolicy> => ({
  offline: { ...RECEIVED, ...change },
});

const VALUES: Readonly<Record<string, Case>> = {
  'offline.perSale.EUR': {
    own: (perSaleMinor) => own({ limits: { EUR: { ...ownEur, perSaleMinor } } }),
    received: (perSaleMinor) => received({ limits: { EUR: { ...WIDE, perSaleMinor } } }),
    read: ({ offline }) => offline.limits.EUR?.perSaleMinor,
  },
  'offline.sum.EUR': {
    own: (sumMinor) => own({ limits: { EUR: { ...ownEur, sumMinor } } }),
    received: (sumMinor) => received({ limits: { EUR: { ...WIDE, sumMinor } } }),
    read: ({ offline }) => offline.limits.EUR?.sumMinor,
  },
  'offline.maxCount': {
    own: (maxCount) => own({ maxCount }),
    received: (maxCount) => received({ maxCount }),
    read: ({ offline }) => offline.maxCount,
  },
  'offline.maxAgeHours': {
    own: (value) => own({ expiryMs: value * HOUR_MS }),
    received: (value) => received({ maxAgeMs: value * HOUR_MS }),
    read: ({ offline }) => offline.expiryMs / HOUR_MS,
  },
  'deferred.perSale.EUR': {
    own: (perSaleMinor) =>
      own({ deferred: { ...OWN.deferred, limits: { EUR: { ...ownDeferredEur, perSaleMinor } } } }),
    received: (perSaleMinor) =>
      received({ deferred: { maxCount: 1e6, limits: { EUR: { ...WIDE, perSaleMinor } } } }),
    read: ({ offline }) => offline.deferred.limits.EUR?.perSaleMinor,
  },
  'deferred.sum.EUR': {
    own: (sumMinor) =>
      own({ deferred: { ...OWN.deferred, limits: { EUR: { ...ownDeferredEur, sumMinor } } } }),
    received: (sumMinor) => received({ deferred: { maxCount: 1e6, limits: { EUR: { ...WIDE, sumMinor } } } }),
    read: ({ offline }) => offline.deferred.limits.EUR?.sumMinor,
  },
  'deferred.maxCount': {
    own: (maxCount) => own({ deferred: { ...OWN.deferred, maxCount } }),
    received: (maxCount) => received({ deferred: { ...RECEIVED.deferred, maxCount } }),
    read: ({ offline }) => offline.deferred.maxCount,
  },
  'ceiling.EUR': {
    own: (minor) => ({ ceilings: { EUR: minor } }),
    received: (minor) => ({ ceilings: { EUR: minor } }),
    read: ({ ceilings }) => ceilings.EUR,
  },
};

function inForce(mine: Partial<SalePolicy>, theirs: Partial<StorePolicy>) {
  return policyInForce({ ...DEFAULT_POLICY, ...own({}), ...mine }, { version: 4, ...theirs });
}

const setBy = (name: string, { values }: ReturnType<typeof policyInForce>): SetBy | undefined =>
  values.find((value) => value.name === name)?.setBy;

describe.each(Object.entries(VALUES))('%s', (name, { own: mine, received: theirs, read }) => {
  it.each<[Required<Sides>, number, SetBy]>([
    [{ own: 20, received: 30 }, 20, 'agent'],
    [{ own: 30, received: 20 }, 20, 'gateway'],
    [{ own: 20, received: 20 }, 20, 'both'],
  ])('of %o is the stricter one', ({ own: ours, received: yours }, value, side) => {
    const merged = inForce(mine(ours) as Partial<SalePolicy>, theirs(yours));
    expect(read(merged.policy)).toBe(value);
    expect(setBy(name, merged)).toBe(side);
  });

  it('is the agent’s own where the gateway sets none', () => {
    const merged = inForce(mine(20) as Partial<SalePolicy>, {});
    expect([read(merged.policy), setBy(name, merged)]).toEqual([20, 'agent']);
  });
});

describe('a currency', () => {
  const limits = (...currencies: string[]) => Object.fromEntries(currencies.map((each) => [each, WIDE]));

  it('is accepted offline where both sides accept it', () => {
    const mine = own({
      limits: limits('CHF', 'EUR', 'USD'),
      deferred: { ...OWN.deferred, limits: limits('EUR', 'USD') },
    });
    const theirs = received({
      limits: limits('EUR', 'GBP', 'USD'),
      deferred: { maxCount: 5, limits: limits('CHF', 'EUR') },
    });
    const merged = inForce(mine, theirs);
    expect(Object.keys(merged.policy.offline.limits)).toEqual(['EUR', 'USD']);
    expect(Object.keys(merged.policy.offline.deferred.limits)).toEqual(['EUR']);
    const never = merged.values.filter(({ value }) => value === 'never');
    expect(never.map(({ name, setBy: side }) => `${name} ${side}`)).toEqual([
      'offline.perSale.CHF gateway',
      'offline.perSale.GBP agent',
      'deferred.perSale.CHF agent',
      'deferred.perSale.USD gateway',
    ]);
  });

  it('has the ceiling of the side that sets one', () => {
    const { policy } = inForce({ ceilings: { USD: 5 } }, { ceilings: { EUR: 7 } });
    expect(policy.ceilings).toEqual({ EUR: 7, USD: 5 });
  });
});

describe('refunds without a sale', () => {
  it.each<[boolean, boolean | undefined, boolean, SetBy]>([
    [true, true, true, 'both'],
    [true, false, false, 'gateway'],
    [true, undefined, false, 'gateway'],
    [false, true, false, 'agent'],
    [false, false, false, 'both'],
  ])('configured %s and received %s are %s', (mine, theirs, allowed, side) => {
    const merged = inForce(
      { unlinkedRefunds: mine },
      theirs === undefined ? {} : { unlinkedRefunds: theirs },
    );
    expect(merged.policy.unlinkedRefunds).toBe(allowed);
    expect(setBy('unlinkedRefunds', merged)).toBe(side);
  });
});

describe('sales without the gateway', () => {
  it('are off, and reported as off, where the agent does not offer them or the policy is not known', () => {
    const off = policyInForce(DEFAULT_POLICY, { version: 4, ...received({}) });
    expect([off.policy.offline.enabled, off.version]).toEqual([false, 4]);
    expect(off.values[0]).toEqual({ name: 'offline', value: 'off', setBy: 'agent' });
    const unknown = policyInForce(DEFERRING, undefined);
    expect(unknown.version).toBeUndefined();
    expect(unknown.values[0]).toEqual({ name: 'offline', value: 'off', setBy: 'gateway' });
  });

  it('are never deferred because only the gateway allows it', () => {
    const mine = own({ deferred: { ...OWN.deferred, enabled: false } });
    expect(inForce(mine, received({})).policy.offline.deferred.enabled).toBe(false);
  });
});

describe('the values that are in force', () => {
  const BOTH = { ...DEFERRING, unlinkedRefunds: true, ceilings: { EUR: 50_000 } };
  const offline = {
    ...RECEIVED,
    limits: { EUR: { perSaleMinor: 5_000, sumMinor: 15_000 }, USD: WIDE },
    maxAgeMs: 12 * HOUR_MS,
  };
  const values = (own: SalePolicy, store: StorePolicy | undefined) =>
    policyInForce(own, store).values.map(({ name, value, setBy }) => `${name} ${value} ${setBy}`);

  it('are shown with who set them', () => {
    expect(values(BOTH, { version: 1, unlinkedRefunds: false, ceilings: { USD: 700 }, offline })).toEqual([
      'offline on agent',
      'offline.perSale.EUR 50.00 gateway',
      'offline.sum.EUR 150.00 both',
      'offline.perSale.USD never agent',
      'offline.maxCount 60 agent',
      'offline.maxAgeHours 12 gateway',
      'deferred.perSale.EUR 25.00 agent',
      'deferred.sum.EUR 50.00 agent',
      'deferred.maxCount 5 agent',
      'unlinkedRefunds off gateway',
      'ceiling.EUR 500.00 agent',
      'ceiling.USD 7.00 gateway',
    ]);
  });

  it('are none of offline sales while these are off', () => {
    const off = { ...BOTH, offline: { ...BOTH.offline, enabled: false } };
    const others = ['unlinkedRefunds on both', 'ceiling.EUR 500.00 agent'];
    const store = { version: 1, unlinkedRefunds: true } as const;
    expect(values(off, store)).toEqual(['offline off agent', ...others]);
    expect(values(off, undefined)).toEqual(['offline off agent', ...others]);
    expect(values(BOTH, undefined)).toEqual(['offline off gateway', ...others]);
  });
});
