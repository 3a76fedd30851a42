import { AmountFormatError, minorDigits, parseAmount } from '@tillbridge/protocol/payment/money.js';
import {
  DEFERRED_CARDS,
  type DeferredPolicy,
  OFFLINE_MAXIMA,
  OFFLINE_OFF,
  type OfflineLimits,
  type OfflinePolicy,
} from '../sale/offline-policy.js';
import { readCards } from './offline-cards.js';
import { oneOf, type Place, type Problems, type Rule, Section, wholeNumber } from './section.js';

const HOUR_MS = 3_600_000;

const KEYS = [
  'limits',
  'maxCount',
  'maxPerCard',
  'maxContactAgeHours',
  'expiryHours',
  'cards',
  'deferred',
  'afterHandOver',
  'risk',
] as const;
const DEFERRED_KEYS = ['limits', 'maxCount', 'cards'] as const;
const RISK_KEYS = [
  'floorLimitMinor',
  'randomSelectionThresholdMinor',
  'randomSelectionTargetPercent',
  'randomSelectionMaxPercent',
] as const;

/** The currencies whose unit fits the standard limits. */
const STANDARD_CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'BRL'] as const;

function standardLimits(perSaleMinor: number, sumMinor: number): Readonly<Record<string, OfflineLimits>> {
  return Object.fromEntries(STANDARD_CURRENCIES.map((currency) => [currency, { perSaleMinor, sumMinor }]));
}

/** `on` without limits of one's own: the reference's proposal. */
const STANDARD_LIMITS = standardLimits(100_00, 2_500_00);

const OFF = OFFLINE_OFF;

/** Offline approvals with the standard limits; deferral stays off. */
export const STANDARD_OFFLINE: OfflinePolicy = { ...OFF, enabled: true, limits: STANDARD_LIMITS };

/** Deferred authorizations with small limits, for cards whose holder was verified. */
export const STANDARD_DEFERRED: DeferredPolicy = {
  ...OFF.deferred,
  enabled: true,
  limits: standardLimits(25_00, 250_00),
  cards: DEFERRED_CARDS,
};

/** Reads `offline`: `off`, `on` (the standard limits) or limits of one's own. What is wrong is noted, and then off. */
export function readOffline(value: unknown, place: Place, problems: Problems): OfflinePolicy {
  const word = readSwitch(value);
  if (word !== undefined) return word ? STANDARD_OFFLINE : OFF;
  if (typeof value !== 'object' || Array.isArray(value)) {
    problems.add(place, `must be off, on, or a mapping with ${KEYS.join(', ')}`);
    return OFF;
  }
  const section = new Section(value, place, KEYS, problems);
  const hours = (maxMs: number) => wholeNumber(1, maxMs / HOUR_MS, 'whole hours');
  const { contactAgeMs, expiryMs, perCard, count } = OFFLINE_MAXIMA;
  const limits = readLimits(section, OFFLINE_MAXIMA, STANDARD_LIMITS, problems);
  return {
    enabled: true,
    limits,
    maxCount: section.read('maxCount', wholeNumber(1, count), OFF.maxCount),
    maxPerCard: section.read('maxPerCard', wholeNumber(1, perCard), OFF.maxPerCard),
    maxContactAgeMs:
      section.read('maxContactAgeHours', hours(contactAgeMs), OFF.maxContactAgeMs / HOUR_MS) * HOUR_MS,
    expiryMs: section.read('expiryHours', hours(expiryMs), OFF.expiryMs / HOUR_MS) * HOUR_MS,
    cards: readCards(section, problems, amountRule, OFF.cards),
    deferred: readDeferred(section, limits, problems),
    afterHandOver: section.read('afterHandOver', oneOf(['decline', 'reverse'] as const), OFF.afterHandOver),
    risk: readRisk(section, problems),
  };
}

/** `undefined`: neither on nor off. */
function readSwitch(value: unknown): boolean | undefined {
  if (value === undefined || value === null || value === 'off' || value === false) return false;
  return value === 'on' || value === true ? true : undefined;
}

/** Reads `deferred` within `offline`; a currency of it needs general limits too, which stay in force. */
function readDeferred(
  offline: Section,
  general: Readonly<Record<string, OfflineLimits>>,
  problems: Problems,
): DeferredPolicy {
  const value = offline.raw('deferred');
  const place = offline.at('deferred');
  const word = readSwitch(value);
  if (word !== undefined) return word ? STANDARD_DEFERRED : OFF.deferred;
  if (typeof value !== 'object' || Array.isArray(value)) {
    problems.add(place, `must be off, on, or a mapping with ${DEFERRED_KEYS.join(', ')}`);
    return OFF.deferred;
  }
  const section = new Section(value, place, DEFERRED_KEYS, problems);
  const maxima = OFFLINE_MAXIMA.deferred;
  const own = section.raw('limits') !== undefined;
  const limits = readLimits(section, maxima, STANDARD_DEFERRED.limits, problems);
  for (const currency of own ? Object.keys(limits) : []) {
    if (Object.hasOwn(general, currency)) continue;
    problems.add(
      `${section.at('limits')}.${currency}`,
      `needs limits of ${currency} in ${offline.at('limits')} too`,
    );
  }
  return {
    enabled: true,
    limits,
    maxCount: section.read('maxCount', wholeNumber(1, maxima.count), OFF.deferred.maxCount),
    cards: readCards(section, problems, amountRule, DEFERRED_CARDS),
  };
}

/** Compiled maxima of limits, in whole units of the currency. */
interface UnitMaxima {
  readonly perSaleUnits: number;
  readonly sumUnits: number;
  readonly perCardUnits: number;
}

function readLimits(
  section: Section,
  maxima: UnitMaxima,
  preset: Readonly<Record<string, OfflineLimits>>,
  problems: Problems,
): Readonly<Record<string, OfflineLimits>> {
  const value = section.raw('limits');
  if (value === undefined) return preset;
  const currencies =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const limits = new Section(value, section.at('limits'), currencies, problems);
  const entries = currencies.map(
    (currency) => [currency, readCurrency(limits, currency, maxima, problems)] as const,
  );
  return Object.fromEntries(
    entries.filter((entry): entry is [string, OfflineLimits] => entry[1] !== undefined),
  );
}

function readCurrency(
  limits: Section,
  currency: string,
  maxima: UnitMaxima,
  problems: Problems,
): OfflineLimits | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) {
    problems.add(limits.at(currency), 'must be an ISO 4217 code of three uppercase letters, such as EUR');
    return undefined;
  }
  const place = limits.at(currency);
  const section = new Section(limits.raw(currency), place, ['perSale', 'sum', 'perCard'], problems);
  const perSaleMinor = section.need('perSale', amountRule(currency, maxima.perSaleUnits));
  const sumMinor = section.need('sum', amountRule(currency, maxima.sumUnits));
  const perCard = amountRule(currency, maxima.perCardUnits);
  const perCardMinor = section.read<number | undefined>('perCard', perCard, undefined);
  if (perSaleMinor === undefined || sumMinor === undefined) return undefined;
  if (perSaleMinor > sumMinor) problems.add(`${place}.perSale`, 'must not be above sum');
  return { perSaleMinor, sumMinor, ...(perCardMinor !== undefined && { perCardMinor }) };
}

/** An amount in minor units, at most the compiled maximum: no configuration lifts that. */
function amountRule(currency: string, maxUnits: number): Rule<number> {
  return {
    expected: `an amount in quotes such as "100.00", at most ${maxUnits} ${currency}`,
    read: (value) => {
      if (typeof value !== 'string') return undefined;
      try {
        const { minor } = parseAmount(value, currency);
        return minor > 0 && minor <= maxUnits * 10 ** minorDigits(currency) ? minor : undefined;
      } catch (error) {
        if (error instanceof AmountFormatError) return undefined;
        throw error;
      }
    },
  };
}

function readRisk(section: Section, problems: Problems): OfflinePolicy['risk'] {
  const risk = new Section(section.raw('risk'), section.at('risk'), RISK_KEYS, problems);
  const minor = wholeNumber(0, 999_999_99, 'minor units');
  const percent = wholeNumber(0, 99, 'a percentage');
  return {
    floorLimitMinor: risk.read('floorLimitMinor', minor, OFF.risk.floorLimitMinor),
    randomSelectionThresholdMinor: risk.read(
      'randomSelectionThresholdMinor',
      minor,
      OFF.risk.randomSelectionThresholdMinor,
    ),
    randomSelectionTargetPercent: risk.read(
      'randomSelectionTargetPercent',
      percent,
      OFF.risk.randomSelectionTargetPercent,
    ),
    randomSelectionMaxPercent: risk.read(
      'randomSelectionMaxPercent',
      percent,
      OFF.risk.randomSelectionMaxPercent,
    ),
  };
}
