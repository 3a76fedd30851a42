import { isCurrency } from '@tillbridge/protocol/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/protocol/payment/minor-digits.js';
import { amountOrFault, formatAmount } from '@tillbridge/protocol/payment/money.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/protocol/payment/offline-maxima.js';
import type { Amounts, OfflineBounds, StorePolicy } from '@tillbridge/protocol/payment/store-policy.js';
import { parseJson } from '@tillbridge/protocol/text/parse-json.js';

/** Where no policy was set: the compiled maxima hold, and no terminal refunds without a sale. */
export const NO_POLICY: StorePolicy = { version: 0 };

/** The policy is invalid; the message names the field. */
export class StorePolicyError extends Error {
  override readonly name = 'StorePolicyError';
}

/** Currencies of one list at most. */
const MAX_CURRENCIES = 50;
const HOUR_MS = 3_600_000;
const MOST_HOURS = OFFLINE_LIMIT_MAXIMA.expiryMs / HOUR_MS;

type Fields = Readonly<Record<string, unknown>>;

/** Compiled maxima of one kind of offline sales. */
interface Maxima {
  readonly sumUnits: number;
  readonly count: number;
}

/**
 * A policy from JSON, each part optional; what bounds leave out has the compiled maximum, a currency that they leave out is never offline:
 * `{"offline": {"limits": {"EUR": {"perSale": "50.00", "sum": "500.00"}}, "maxCount": 60, "maxAgeHours": 24, "deferred": {"limits": {},
 * "maxCount": 10}}, "unlinkedRefunds": false, "ceilings": {"EUR": "5000.00"}}`.
 * @throws StorePolicyError
 */
export function readStorePolicy(json: string): Omit<StorePolicy, 'version'> {
  const parsed = parseJson(json, () => new StorePolicyError('the policy is not JSON'));
  const { offline, unlinkedRefunds, ceilings } = fields('the policy', parsed, [
    'offline',
    'unlinkedRefunds',
    'ceilings',
  ]);
  if (unlinkedRefunds !== undefined && typeof unlinkedRefunds !== 'boolean')
    throw new StorePolicyError('unlinkedRefunds must be true or false');
  return {
    ...(offline !== undefined && { offline: readOffline(offline) }),
    ...(unlinkedRefunds !== undefined && { unlinkedRefunds }),
    ...(ceilings !== undefined && { ceilings: readAmounts('ceilings', ceilings) }),
  };
}

/** The policy as {@link readStorePolicy} takes it, for people. */
export function showStorePolicy({ version, offline, unlinkedRefunds, ceilings }: StorePolicy): object {
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
  };
}

function readOffline(value: unknown): NonNullable<StorePolicy['offline']> {
  const {
    deferred = {},
    maxAgeHours = MOST_HOURS,
    ...general
  } = fields('offline', value, ['limits', 'maxCount', 'deferred', 'maxAgeHours']);
  const isAge = typeof maxAgeHours === 'number' && maxAgeHours > 0 && maxAgeHours <= MOST_HOURS;
  if (!isAge) throw new StorePolicyError(`offline.maxAgeHours must be above 0 and at most ${MOST_HOURS}`);
  return {
    ...readBounds('offline', general, OFFLINE_LIMIT_MAXIMA),
    deferred: readBounds('offline.deferred', deferred, OFFLINE_LIMIT_MAXIMA.deferred),
    maxAgeMs: maxAgeHours * HOUR_MS,
  };
}

function readBounds(place: string, value: unknown, maxima: Maxima): OfflineBounds {
  const { limits = {}, maxCount = maxima.count } = fields(place, value, ['limits', 'maxCount']);
  if (typeof maxCount !== 'number' || !Number.isInteger(maxCount) || maxCount < 0 || maxCount > maxima.count)
    throw new StorePolicyError(`${place}.maxCount must be a whole number from 0 to ${maxima.count}`);
  const entries = currencies(`${place}.limits`, limits).map(([currency, limit]) => {
    const { perSale, sum } = fields(`${place}.limits.${currency}`, limit, ['perSale', 'sum']);
    const perSaleMinor = readAmount(`${place}.limits.${currency}.perSale`, currency, perSale);
    const most = maxima.sumUnits * 10 ** minorDigits(currency);
    const sumMinor = sum === undefined ? most : readAmount(`${place}.limits.${currency}.sum`, currency, sum);
    return [currency, { perSaleMinor, sumMinor }] as const;
  });
  return { limits: Object.fromEntries(entries), maxCount };
}

function readAmounts(place: string, value: unknown): Amounts {
  const entries = currencies(place, value);
  return Object.fromEntries(
    entries.map(([currency, amount]) => [currency, readAmount(`${place}.${currency}`, currency, amount)]),
  );
}

/** The entries of an object by currency. */
function currencies(place: string, value: unknown): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(fields(place, value));
  if (entries.length > MAX_CURRENCIES)
    throw new StorePolicyError(`${place} has ${entries.length} currencies: at most ${MAX_CURRENCIES} may be`);
  const wrong = entries.find(([currency]) => !isCurrency(currency));
  if (wrong) throw new StorePolicyError(`${place}: ${wrong[0]} is no ISO 4217 currency`);
  return entries;
}

function readAmount(place: string, currency: string, amount: unknown): number {
  if (typeof amount !== 'string')
    throw new StorePolicyError(`${place} must be an amount in quotes, such as "50.00"`);
  const read = amountOrFault(amount, currency);
  if (typeof read === 'string') throw new StorePolicyError(`${place}: ${read}`);
  return read.minor;
}

/** An object with no other than the known names. */
function fields(place: string, value: unknown, known?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StorePolicyError(`${place} must be an object`);
  const wrong = known && Object.keys(value).find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw new StorePolicyError(`${place}: ${wrong} is no field: expected ${known?.join(', ')}`);
  return value as Fields;
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
