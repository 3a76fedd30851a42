import { detectBrand } from '@tillbridge/protocol/payment/brands.js';
import type { AcquirerMoneyRequest } from '../../acquirer.js';
import type { RequestValues } from './exchange-request.js';
import type { Operation } from './mapping.js';

/** What the gateway may approve by itself while no host of an acquirer can be reached. */
export interface StandInRule {
  /** By currency, in minor units: the most of a payment, and of all that a card gets on a day. No other currency is approved. */
  readonly limits: Readonly<Record<string, { readonly paymentMinor: number; readonly dayMinor: number }>>;
  /** Payments of a card on a day at most. */
  readonly dayCount: number;
  /** Those read by their chip, those read by a terminal, or all. */
  readonly cards: 'chip' | 'present' | 'all';
  /** Absent: every brand. */
  readonly brands?: readonly string[];
}

/** What a card has got on a day. */
export interface StandInDay {
  /** `yyyyMMdd` in UTC. */
  readonly day: string;
  readonly count: number;
  /** Minor units by currency. */
  readonly sums: Readonly<Record<string, number>>;
}

const CHIP: ReadonlySet<string> = new Set(['ICC', 'NFC_ICC']);

/** The advice that tells a host of a stand-in; undefined for what the gateway never approves by itself. */
export function standInOperation(operation: Operation): 'sale advice' | 'authorization advice' | undefined {
  if (operation === 'sale') return 'sale advice';
  return operation === 'authorization' ? 'authorization advice' : undefined;
}

/**
 * What the card has got on its day with this payment, where the rule allows it (pure); undefined where it does not. A PIN is the issuer's to check,
 * and a deferred authorization waits for its issuer.
 */
export function decideStandIn(
  rule: StandInRule,
  { amount: { minor, currency }, instrument, pos, deferred }: AcquirerMoneyRequest,
  before: StandInDay | undefined,
  day: string,
): StandInDay | undefined {
  const limit = Object.hasOwn(rule.limits, currency) ? rule.limits[currency] : undefined;
  if (!limit || instrument?.kind !== 'card' || deferred || pos?.pin) return undefined;
  if (rule.cards !== 'all' && !pos) return undefined;
  if (rule.cards === 'chip' && !CHIP.has(pos?.entryMode ?? '')) return undefined;
  if (rule.brands && !rule.brands.includes(detectBrand(instrument.pan)?.key ?? '')) return undefined;
  const { count, sums } = before?.day === day ? before : { count: 0, sums: {} as StandInDay['sums'] };
  const sum = (sums[currency] ?? 0) + minor;
  if (minor > limit.paymentMinor || sum > limit.dayMinor || count >= rule.dayCount) return undefined;
  return { day, count: count + 1, sums: { ...sums, [currency]: sum } };
}

/** An advice that may be kept until a host can be reached (pure): without what nobody may keep once a payment is decided. */
export function keptAdvice({ track2: _, cvv: __, pinBlock: ___, ...advice }: RequestValues): RequestValues {
  return advice;
}
