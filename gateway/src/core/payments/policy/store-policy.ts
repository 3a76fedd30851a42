import {
  amountText,
  byCurrency,
  minorByCurrency,
  minorOf,
} from '@tillbridge/platform/schema/amount-fields.js';
import { section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/wire/payment/offline-maxima.js';
import type { Amounts, OfflineBounds, StorePolicy } from '@tillbridge/wire/payment/store-policy.js';

/** Where no policy was set: the compiled maxima hold, and no terminal refunds without a sale. */
export const NO_POLICY: StorePolicy = { version: 0 };

/** The policy is invalid; the message names the field. */
export class StorePolicyError extends Error {
  override readonly name = 'StorePolicyError';
}

const HOUR_MS = 3_600_000;
const MOST_HOURS = OFFLINE_LIMIT_MAXIMA.expiryMs / HOUR_MS;

type Maxima = Readonly<Record<'sumUnits' | 'count', number>>;

const LIMITS = byCurrency(
  section(
    { perSale: amountText(1), sum: Type.Optional(amountText(1)) },
    { expected: 'an object with perSale' },
  ),
  { default: {} },
);
const OBJECT = { expected: 'an object' };

/** Limits of one kind of offline sales. */
const bounds = ({ count }: Maxima) => ({
  limits: LIMITS,
  maxCount: wholeNumber(0, count, { description: 'Unconfirmed sales.', default: count }),
});
const DEFERRED = bounds(OFFLINE_LIMIT_MAXIMA.deferred);
const OFFLINE = section(
  {
    ...bounds(OFFLINE_LIMIT_MAXIMA),
    deferred: section(DEFERRED, { ...OBJECT, default: {} }),
    maxAgeHours: Type.Unsafe<number>({
      type: 'number',
      exclusiveMinimum: 0,
      maximum: MOST_HOURS,
      expected: `hours above 0 and at most ${MOST_HOURS}`,
      default: MOST_HOURS,
    }),
  },
  OBJECT,
);
const POLICY = section(
  {
    offline: Type.Optional(OFFLINE),
    unlinkedRefunds: Type.Optional(Type.Boolean({ expected: 'true or false' })),
    ceilings: Type.Optional(byCurrency(amountText(0))),
    maxTipPercent: Type.Optional(
      wholeNumber(0, 100, { description: 'Most of a tip, of what is bought; 0: no tips.' }),
    ),
    cashBack: Type.Optional(byCurrency(amountText(1))),
  },
  OBJECT,
);

const readPolicy = jsonReader(POLICY, 'the policy', (reason) => new StorePolicyError(reason));

/**
 * A policy from JSON, each part optional; what bounds leave out has the compiled maximum, a currency that they leave out is never offline:
 * `{"offline": {"limits": {"EUR": {"perSale": "50.00", "sum": "500.00"}}, "maxCount": 60, "maxAgeHours": 24, "deferred": {"limits": {},
 * "maxCount": 10}}, "unlinkedRefunds": false, "ceilings": {"EUR": "5000.00"}, "maxTipPercent": 25, "cashBack": {"EUR": "200.00"}}`.
 * @throws StorePolicyError
 */
export function readStorePolicy(json: string): Omit<StorePolicy, 'version'> {
  const { offline, ceilings, cashBack, ...rest } = readPolicy(json);
  return {
    ...(offline && { offline: offlineOf(offline) }),
    ...rest,
    ...(ceilings && { ceilings: minorByCurrency(ceilings) }),
    ...(cashBack && { cashBack: minorByCurrency(cashBack) }),
  };
}

function offlineOf({ deferred, maxAgeHours, ...general }: Static<typeof OFFLINE>) {
  return {
    ...boundsOf(general, OFFLINE_LIMIT_MAXIMA),
    deferred: boundsOf(deferred, OFFLINE_LIMIT_MAXIMA.deferred),
    maxAgeMs: maxAgeHours * HOUR_MS,
  };
}

function boundsOf(
  { limits, maxCount }: Pick<Static<typeof OFFLINE>, 'limits' | 'maxCount'>,
  { sumUnits }: Maxima,
): OfflineBounds {
  const entries = Object.entries(limits).map(([currency, { perSale, sum }]) => {
    const most = sumUnits * 10 ** minorDigits(currency);
    const sumMinor = sum === undefined ? most : minorOf(sum, currency);
    return [currency, { perSaleMinor: minorOf(perSale, currency), sumMinor }];
  });
  return { limits: Object.fromEntries(entries), maxCount };
}

/** The policy as {@link readStorePolicy} takes it, for people. */
export function showStorePolicy(policy: StorePolicy): object {
  const { version, offline, unlinkedRefunds, ceilings, maxTipPercent, cashBack } = policy;
  return {
    version,
    ...(offline && {
      offline: {
        ...shownBounds(offline),
        deferred: shownBounds(offline.deferred),
        maxAgeHours: offline.maxAgeMs / HOUR_MS,
      },
    }),
    unlinkedRefunds: unlinkedRefunds ?? false,
    ...(ceilings && { ceilings: shown(ceilings) }),
    ...(maxTipPercent !== undefined && { maxTipPercent }),
    ...(cashBack && { cashBack: shown(cashBack) }),
  };
}

function shown(amounts: Amounts): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(amounts).map(([currency, minor]) => [currency, formatAmount({ minor, currency })]),
  );
}

function shownBounds({ limits, maxCount }: OfflineBounds): object {
  const entries = Object.entries(limits).map(([currency, { perSaleMinor, sumMinor }]) => {
    const text = (minor: number) => formatAmount({ minor, currency });
    return [currency, { perSale: text(perSaleMinor), sum: text(sumMinor) }];
  });
  return { limits: Object.fromEntries(entries), maxCount };
}
