import { AmountFormatError, minorDigits, parseAmount } from '@tillbridge/protocol/payment/money.js';
import type { EntryMode } from '../drivers/driver.js';
import { DEFAULT_POLICY, OFFLINE_MAXIMA, type OfflineLimits, type OfflinePolicy } from '../sale/policy.js';
import { oneOf, type Place, type Problems, type Rule, Section, wholeNumber } from './section.js';

const HOUR_MS = 3_600_000;

const KEYS = ['limits', 'maxCount', 'maxContactAgeHours', 'entryModes', 'afterHandOver', 'risk'] as const;
const RISK_KEYS = [
  'floorLimitMinor',
  'randomSelectionThresholdMinor',
  'randomSelectionTargetPercent',
  'randomSelectionMaxPercent',
] as const;

/** Ways of reading a card that a merchant may allow without the gateway; a magnetic stripe and typing never are. */
const ENTRY_MODES: readonly EntryMode[] = ['ICC', 'NFC_ICC'];

/** `on` without limits of one's own: the reference's proposal, in the currencies whose unit it fits. */
const STANDARD_LIMITS: Readonly<Record<string, OfflineLimits>> = Object.fromEntries(
  ['EUR', 'USD', 'GBP', 'CHF', 'BRL'].map((currency) => [
    currency,
    { perSaleMinor: 100_00, sumMinor: 2_500_00 },
  ]),
);

const OFF = DEFAULT_POLICY.offline;

/** Offline approvals with the standard limits. */
export const STANDARD_OFFLINE: OfflinePolicy = { ...OFF, enabled: true, limits: STANDARD_LIMITS };

/** Reads `offline`: `off`, `on` (the standard limits) or limits of one's own. What is wrong is noted, and then off. */
export function readOffline(value: unknown, place: Place, problems: Problems): OfflinePolicy {
  if (value === undefined || value === null || value === 'off' || value === false) return OFF;
  if (value === 'on' || value === true) return STANDARD_OFFLINE;
  if (typeof value !== 'object' || Array.isArray(value)) {
    problems.add(place, `must be off, on, or a mapping with ${KEYS.join(', ')}`);
    return OFF;
  }
  const section = new Section(value, place, KEYS, problems);
  const hours = wholeNumber(1, OFFLINE_MAXIMA.contactAgeMs / HOUR_MS, 'whole hours');
  return {
    enabled: true,
    limits: readLimits(section, problems),
    maxCount: section.read('maxCount', wholeNumber(1, OFFLINE_MAXIMA.count), OFF.maxCount),
    maxContactAgeMs: section.read('maxContactAgeHours', hours, OFF.maxContactAgeMs / HOUR_MS) * HOUR_MS,
    entryModes: section.read('entryModes', ENTRY_MODES_RULE, OFF.entryModes),
    afterHandOver: section.read('afterHandOver', oneOf(['decline', 'reverse'] as const), OFF.afterHandOver),
    risk: readRisk(section, problems),
  };
}

const ENTRY_MODES_RULE: Rule<readonly EntryMode[]> = {
  expected: `a list out of ${ENTRY_MODES.join(', ')}`,
  read: (value) => {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const modes = ENTRY_MODES.filter((mode) => value.includes(mode));
    return modes.length === value.length ? modes : undefined;
  },
};

function readLimits(section: Section, problems: Problems): Readonly<Record<string, OfflineLimits>> {
  const value = section.raw('limits');
  if (value === undefined) return STANDARD_LIMITS;
  const currencies =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const limits = new Section(value, section.at('limits'), currencies, problems);
  const entries = currencies.map((currency) => [currency, readCurrency(limits, currency, problems)] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, OfflineLimits] => entry[1] !== undefined),
  );
}

function readCurrency(limits: Section, currency: string, problems: Problems): OfflineLimits | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) {
    problems.add(limits.at(currency), 'must be an ISO 4217 code of three uppercase letters, such as EUR');
    return undefined;
  }
  const section = new Section(limits.raw(currency), limits.at(currency), ['perSale', 'sum'], problems);
  const perSaleMinor = section.need('perSale', amountRule(currency, OFFLINE_MAXIMA.perSaleUnits));
  const sumMinor = section.need('sum', amountRule(currency, OFFLINE_MAXIMA.sumUnits));
  return perSaleMinor === undefined || sumMinor === undefined ? undefined : { perSaleMinor, sumMinor };
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
