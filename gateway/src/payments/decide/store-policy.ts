import { isCurrency } from '@tillbridge/protocol/payment/currency-codes.js';
import { AmountFormatError, formatAmount, parseAmount } from '@tillbridge/protocol/payment/money.js';
import { OFFLINE_LIMIT_MAXIMA } from '@tillbridge/protocol/payment/offline-maxima.js';

/** Minor units by ISO 4217 currency. */
type Amounts = Readonly<Record<string, number>>;

/** What a store may do, as the gateway enforces it. */
export interface StorePolicy {
  /** Counts the changes, from 1; 0 where no policy was set. */
  readonly version: number;
  /** Sales without the gateway; absent: the compiled maxima alone. */
  readonly offline?: {
    /** Most of one sale that the card approved; a currency that is missing is never sold offline. */
    readonly limits: Amounts;
    /** The same of one deferred authorization. */
    readonly deferred: Amounts;
    /** Oldest record that is paid. */
    readonly maxAgeMs: number;
  };
  /** A terminal may refund to a card without the sale that is refunded. */
  readonly unlinkedRefunds?: boolean;
  /** Most of one payment, refunds among them; a currency that is missing has no ceiling. */
  readonly ceilings?: Amounts;
}

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

/**
 * A policy from JSON: `{"offline": {"limits": {"EUR": "50.00"}, "deferred": {}, "maxAgeHours": 24}, "unlinkedRefunds": false, "ceilings":
 * {"EUR": "5000.00"}}`, each part optional.
 * @throws StorePolicyError
 */
export function readStorePolicy(json: string): Omit<StorePolicy, 'version'> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new StorePolicyError('the policy is not JSON');
  }
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
        limits: shown(offline.limits),
        deferred: shown(offline.deferred),
        maxAgeHours: offline.maxAgeMs / HOUR_MS,
      },
    }),
    unlinkedRefunds: unlinkedRefunds ?? false,
    ...(ceilings && { ceilings: shown(ceilings) }),
  };
}

function readOffline(value: unknown): NonNullable<StorePolicy['offline']> {
  const {
    limits = {},
    deferred = {},
    maxAgeHours = MOST_HOURS,
  } = fields('offline', value, ['limits', 'deferred', 'maxAgeHours']);
  const isAge = typeof maxAgeHours === 'number' && maxAgeHours > 0 && maxAgeHours <= MOST_HOURS;
  if (!isAge) throw new StorePolicyError(`offline.maxAgeHours must be above 0 and at most ${MOST_HOURS}`);
  return {
    limits: readAmounts('offline.limits', limits),
    deferred: readAmounts('offline.deferred', deferred),
    maxAgeMs: maxAgeHours * HOUR_MS,
  };
}

function readAmounts(place: string, value: unknown): Amounts {
  const entries = Object.entries(fields(place, value));
  if (entries.length > MAX_CURRENCIES)
    throw new StorePolicyError(`${place} has ${entries.length} currencies: at most ${MAX_CURRENCIES} may be`);
  return Object.fromEntries(
    entries.map(([currency, amount]) => [currency, readAmount(place, currency, amount)]),
  );
}

function readAmount(place: string, currency: string, amount: unknown): number {
  if (!isCurrency(currency)) throw new StorePolicyError(`${place}: ${currency} is no ISO 4217 currency`);
  if (typeof amount !== 'string')
    throw new StorePolicyError(`${place}.${currency} must be an amount in quotes, such as "50.00"`);
  try {
    return parseAmount(amount, currency).minor;
  } catch (error) {
    if (error instanceof AmountFormatError)
      throw new StorePolicyError(`${place}.${currency}: ${error.message}`);
    throw error;
  }
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
