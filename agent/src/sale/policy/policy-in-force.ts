import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { OfflineBounds, StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { SalePolicy } from '../machine/state/policy.js';
import type { OfflineLimits, OfflinePolicy } from '../offline/offline-policy.js';

const HOUR_MS = 3_600_000;

/** Who sets a value: the agent's configuration, the gateway's policy of the store, or both the same. */
export type SetBy = 'agent' | 'gateway' | 'both';

/** One value that is in force, for people. */
export interface PolicyValue {
  /** Such as `offline.perSale.EUR`. */
  readonly name: string;
  /** A decimal text of an amount, a number, `on`, `off` or `never`. */
  readonly value: string;
  readonly setBy: SetBy;
}

/** The stricter of the agent's configuration and the policy of its store, for each value. */
export interface PolicyInForce {
  readonly policy: SalePolicy;
  /** Of the store's policy; undefined while it is not known: then nothing is sold without the gateway. */
  readonly version: number | undefined;
  readonly values: readonly PolicyValue[];
}

/** A policy that leaves all to the agent's configuration. */
export const UNLIMITED: StorePolicy = { version: 0, unlinkedRefunds: true };

type Bounds = Pick<OfflinePolicy, 'limits' | 'maxCount'>;

/** The policy that applies, of the configured one and the gateway's (`store`; undefined: not known). Pure. */
export function policyInForce(own: SalePolicy, store: StorePolicy | undefined): PolicyInForce {
  const known = store ?? UNLIMITED;
  const offline = new Merge();
  const other = new Merge();
  const merged = offlineInForce(own.offline, known.offline, offline);
  const policy: SalePolicy = {
    ...own,
    unlinkedRefunds: other.allowed('unlinkedRefunds', own.unlinkedRefunds, known.unlinkedRefunds ?? false),
    ceilings: ceilingsInForce(own.ceilings, known.ceilings ?? {}, other),
    maxTipPercent: known.maxTipPercent ?? 0,
    cashBack: known.cashBack ?? {},
    offline: merged,
  };
  const isOn = own.offline.enabled && store !== undefined;
  const onOff: PolicyValue = {
    name: 'offline',
    value: isOn ? 'on' : 'off',
    setBy: own.offline.enabled && !store ? 'gateway' : 'agent',
  };
  const values = [onOff, ...(isOn ? offline.values : []), ...other.values, ...partValues(known)];
  return { policy, version: store?.version, values };
}

/** Tips and cash back, which the gateway allows. */
function partValues({ maxTipPercent, cashBack = {} }: StorePolicy): readonly PolicyValue[] {
  const setBy = 'gateway';
  return [
    ...(maxTipPercent === undefined
      ? []
      : [{ name: 'tip.maxPercent', value: String(maxTipPercent), setBy } as const]),
    ...Object.entries(cashBack).map(
      ([currency, minor]) =>
        ({ name: `cashBack.${currency}`, value: formatAmount({ minor, currency }), setBy }) as const,
    ),
  ];
}

function offlineInForce(own: OfflinePolicy, store: StorePolicy['offline'], merge: Merge): OfflinePolicy {
  const { deferred } = own;
  return {
    ...own,
    ...boundsInForce('offline', own, store, merge),
    expiryMs: merge.least('offline.maxAgeHours', own.expiryMs, store?.maxAgeMs, hours),
    deferred: deferred.enabled
      ? { ...deferred, ...boundsInForce('deferred', deferred, store?.deferred, merge) }
      : deferred,
  };
}

/** Limits of the currencies that both sides accept; `store` absent: that side sets none. */
function boundsInForce(name: string, own: Bounds, store: OfflineBounds | undefined, merge: Merge): Bounds {
  const limits: Record<string, OfflineLimits> = {};
  for (const currency of currenciesOf(own.limits, store?.limits)) {
    const ownLimit = of(own.limits, currency);
    const storeLimit = of(store?.limits, currency);
    if (!ownLimit || (store && !storeLimit)) {
      merge.never(`${name}.perSale.${currency}`, ownLimit !== undefined, storeLimit !== undefined);
      continue;
    }
    const text = (minor: number) => formatAmount({ minor, currency });
    limits[currency] = {
      ...ownLimit,
      perSaleMinor: merge.least(
        `${name}.perSale.${currency}`,
        ownLimit.perSaleMinor,
        storeLimit?.perSaleMinor,
        text,
      ),
      sumMinor: merge.least(`${name}.sum.${currency}`, ownLimit.sumMinor, storeLimit?.sumMinor, text),
    };
  }
  return { limits, maxCount: merge.least(`${name}.maxCount`, own.maxCount, store?.maxCount, String) };
}

function ceilingsInForce(
  own: SalePolicy['ceilings'],
  store: SalePolicy['ceilings'],
  merge: Merge,
): SalePolicy['ceilings'] {
  const entries = currenciesOf(own, store).map((currency) => {
    const text = (minor: number) => formatAmount({ minor, currency });
    const ownMinor = of(own, currency) ?? Infinity;
    return [currency, merge.least(`ceiling.${currency}`, ownMinor, of(store, currency), text)] as const;
  });
  return Object.fromEntries(entries);
}

/** The stricter of two values, and who set it. */
class Merge {
  readonly values: PolicyValue[] = [];

  /** The lower one; `store` absent: that side sets none. */
  least(name: string, own: number, store: number | undefined, text: (value: number) => string): number {
    const other = store ?? Infinity;
    const setBy = own === other ? 'both' : own < other ? 'agent' : 'gateway';
    const value = Math.min(own, other);
    this.values.push({ name, value: text(value), setBy });
    return value;
  }

  /** What both allow. */
  allowed(name: string, own: boolean, store: boolean): boolean {
    const value = own && store;
    this.values.push({ name, value: value ? 'on' : 'off', setBy: sideThatRefuses(own, store) });
    return value;
  }

  /** A currency that one side leaves out. */
  never(name: string, own: boolean, store: boolean): void {
    this.values.push({ name, value: 'never', setBy: sideThatRefuses(own, store) });
  }
}

function sideThatRefuses(own: boolean, store: boolean): SetBy {
  return own === store ? 'both' : own ? 'gateway' : 'agent';
}

function hours(ms: number): string {
  return String(ms / HOUR_MS);
}

function currenciesOf(own: object, store: object = {}): readonly string[] {
  return [...new Set([...Object.keys(own), ...Object.keys(store)])].sort();
}

function of<T>(values: Readonly<Record<string, T>> | undefined, currency: string): T | undefined {
  return values && Object.hasOwn(values, currency) ? values[currency] : undefined;
}
