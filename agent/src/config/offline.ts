import type { Problems } from '@tillbridge/platform/config/problems.js';
import { switchOr } from '@tillbridge/platform/config/setting.js';
import { byCurrency, minorOf } from '@tillbridge/platform/schema/amount-fields.js';
import { type Meaning, oneOf, ruledText, section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { EntryMode } from '../drivers/core/driver.js';
import {
  CARD_VERIFICATIONS,
  type CardRule,
  type CardVerification,
  DEFERRED_CARDS,
  type DeferredPolicy,
  OFFLINE_OFF as OFF,
  OFFLINE_MAXIMA,
  type OfflineLimits,
  type OfflinePolicy,
} from '../sale/offline/offline-policy.js';

const HOUR_MS = 3_600_000;

/** The currencies whose unit fits the standard limits. */
const STANDARD_CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'BRL'] as const;

function standardLimits(perSaleMinor: number, sumMinor: number): Readonly<Record<string, OfflineLimits>> {
  return Object.fromEntries(STANDARD_CURRENCIES.map((currency) => [currency, { perSaleMinor, sumMinor }]));
}

/** Offline approvals with the reference's proposal as limits; deferral stays off. */
export const STANDARD_OFFLINE: OfflinePolicy = {
  ...OFF,
  enabled: true,
  limits: standardLimits(100_00, 2_500_00),
};

/** Deferred authorizations with small limits, for cards whose holder was verified. */
export const STANDARD_DEFERRED: DeferredPolicy = {
  ...OFF.deferred,
  enabled: true,
  limits: standardLimits(25_00, 250_00),
  cards: DEFERRED_CARDS,
};

/** An amount, at most the compiled maximum: no configuration lifts that. The currency is the key `up` steps above the value. */
const amount = (maxUnits: number, up: 0 | 1, meaning?: Meaning) =>
  ruledText(
    `an amount in quotes such as "100.00", at most ${maxUnits} units of the currency`,
    (value, path) => {
      const currency = path.at(-1 - up) ?? '';
      const minor = minorOf(value, currency);
      if (minor > 0 && minor <= maxUnits * 10 ** minorDigits(currency)) return undefined;
      return { problem: `must be an amount in quotes such as "100.00", at most ${maxUnits} ${currency}` };
    },
    meaning,
  );

/** Amounts by currency without a maximum. */
export const amountsByCurrency = (meaning: Meaning) =>
  byCurrency(
    ruledText('an amount in quotes such as "5000.00"', (value, path) =>
      minorOf(value, path.at(-1) ?? '') > 0 ? undefined : {},
    ),
    meaning,
  );

/** Compiled maxima of limits, in whole units of the currency. */
interface UnitMaxima {
  readonly perSaleUnits: number;
  readonly sumUnits: number;
  readonly perCardUnits: number;
}

const limitsOf = ({ perSaleUnits, sumUnits, perCardUnits }: UnitMaxima, description: string) =>
  byCurrency(
    section(
      {
        perSale: amount(perSaleUnits, 1, { description: 'One sale.' }),
        sum: amount(sumUnits, 1, {
          description: 'Sum of one terminal’s unconfirmed approvals.',
        }),
        perCard: Type.Optional(
          amount(perCardUnits, 1, {
            description: 'Sum of one card’s, on all terminals.',
            fallback: 'as `perSale`',
          }),
        ),
      },
      {
        rule: (
          value: { readonly perSale?: unknown; readonly sum?: unknown } | null,
          path: readonly string[],
        ) => {
          const sum = minorOf(value?.sum, path.at(-1) ?? '');
          const isAbove = sum > 0 && minorOf(value?.perSale, path.at(-1) ?? '') > sum;
          return isAbove ? { at: 'perSale', problem: 'must not be above sum' } : undefined;
        },
      },
    ),
    { description, fallback: 'the standard limits' },
  );

type Limits = Static<ReturnType<typeof limitsOf>>;

/** Ways of verifying a holder that exist for a way of reading a card: a list, or a mapping to lower limits. */
const verifications = (words: readonly CardVerification[], description: string, fallback: string) => {
  const lower = byCurrency(amount(OFFLINE_MAXIMA.perSaleUnits, 0));
  const expected = `a list out of ${words.join(', ')}, or a mapping of them to limits such as {EUR: "25.00"}`;
  const mapping = Object.fromEntries(
    words.map((word) => [
      word,
      Type.Optional(Type.Unsafe<Static<typeof lower> | null>({ ...lower, type: ['object', 'null'] })),
    ]),
  );
  return Type.Optional(
    Type.Unsafe<readonly CardVerification[] | Partial<Record<CardVerification, Static<typeof lower> | null>>>(
      {
        if: { type: 'array' },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        then: { type: 'array', items: oneOf(words), minItems: 1, expected },
        else: { ...section(mapping), expected },
        expected,
        description,
        fallback,
      },
    ),
  );
};

/** Both are never accepted offline. No setting changes that. */
const never = Type.Optional(
  Type.Unsafe<never>({ rule: () => ({ problem: 'is never taken offline; only ICC and NFC_ICC can be' }) }),
);

/** Which cards are taken; without the whole mapping those of `presets`. */
const cardsOf = (presets: readonly CardRule[]) => {
  const preset = (entryMode: EntryMode) => {
    const words = presets
      .filter((rule) => rule.entryMode === entryMode)
      .map(({ verification }) => verification);
    return `without \`cards\`: ${words.join(', ') || 'none'}`;
  };
  return section({
    ICC: verifications(
      ['offline-pin', 'signature', 'none'],
      'Chips, by how their holder may have been verified.',
      preset('ICC'),
    ),
    NFC_ICC: verifications(['device', 'signature', 'none'], 'Contactless chips.', preset('NFC_ICC')),
    MANUAL: never,
    MAGSTRIPE: never,
    MAGSTRIPE_AS_FALLBACK: never,
    NFC_MAGSTRIPE: never,
  });
};

type WrittenCards = Static<ReturnType<typeof cardsOf>>;

const minorUnits = (description: string, preset: number) =>
  wholeNumber(0, 999_999_99, { description, default: preset }, 'minor units');
const percentage = (description: string, preset: number) =>
  wholeNumber(0, 99, { description, default: preset }, 'a percentage');
const hours = (maxMs: number, description: string, presetMs: number) =>
  wholeNumber(1, maxMs / HOUR_MS, { description, default: presetMs / HOUR_MS }, 'whole hours');

const RISK = section(
  {
    floorLimitMinor: minorUnits('Floor limit of the terminals’ risk management.', OFF.risk.floorLimitMinor),
    randomSelectionThresholdMinor: minorUnits(
      'Below it a sale is sent to the gateway with the target percentage.',
      OFF.risk.randomSelectionThresholdMinor,
    ),
    randomSelectionTargetPercent: percentage('How many of those.', OFF.risk.randomSelectionTargetPercent),
    randomSelectionMaxPercent: percentage(
      'How many just below the floor limit.',
      OFF.risk.randomSelectionMaxPercent,
    ),
  },
  { default: {} },
);

const { deferred: DEFERRED_MAXIMA } = OFFLINE_MAXIMA;

const DEFERRED = section({
  limits: Type.Optional(
    limitsOf(DEFERRED_MAXIMA, 'Limits of deferred sales, in addition to the general ones.'),
  ),
  maxCount: wholeNumber(1, DEFERRED_MAXIMA.count, {
    description: 'Unconfirmed deferred sales of one terminal.',
    default: OFF.deferred.maxCount,
  }),
  cards: Type.Optional(cardsOf(DEFERRED_CARDS)),
});

const OWN_RULES = section({
  limits: Type.Optional(
    limitsOf(OFFLINE_MAXIMA, 'Limits by currency; one that is missing is never offline.'),
  ),
  maxCount: wholeNumber(1, OFFLINE_MAXIMA.count, {
    description: 'Unconfirmed approvals of one terminal.',
    default: OFF.maxCount,
  }),
  maxPerCard: wholeNumber(1, OFFLINE_MAXIMA.perCard, {
    description: 'The same of one card, on all terminals.',
    default: OFF.maxPerCard,
  }),
  maxContactAgeHours: hours(
    OFFLINE_MAXIMA.contactAgeMs,
    'Longest time since the last contact with the gateway.',
    OFF.maxContactAgeMs,
  ),
  expiryHours: hours(
    OFFLINE_MAXIMA.expiryMs,
    'Age beyond which a record is no longer sent for authorization.',
    OFF.expiryMs,
  ),
  cards: Type.Optional(cardsOf(OFF.cards)),
  deferred: Type.Optional(
    switchOr(DEFERRED, { description: 'Sales on an ARQC alone, at the merchant’s risk.', fallback: '`off`' }),
  ),
  afterHandOver: oneOf(['decline', 'reverse'], {
    description: 'What becomes of a sale whose request was handed over and not answered.',
    default: OFF.afterHandOver,
  }),
  risk: RISK,
});

/** The key `offline`. */
export const OFFLINE = switchOr(OWN_RULES, {
  description: 'Sales while the gateway is away: `off`, `on` (the standard limits), or limits of one’s own.',
  env: 'AGENT_OFFLINE',
  fallback: '`off`',
});

/** When a sale may be approved without the gateway. Notes keys that contradict each other. */
export function offlinePolicy(
  written: Static<typeof OFFLINE> | undefined,
  problems: Problems,
): OfflinePolicy {
  if (typeof written !== 'object') return isOn(written) ? STANDARD_OFFLINE : OFF;
  const { limits, maxContactAgeHours, expiryHours, cards, deferred, ...rest } = written;
  const general = limits ? minorLimits(limits) : STANDARD_OFFLINE.limits;
  return {
    ...rest,
    enabled: true,
    limits: general,
    maxContactAgeMs: maxContactAgeHours * HOUR_MS,
    expiryMs: expiryHours * HOUR_MS,
    cards: cards ? cardRules(cards) : OFF.cards,
    deferred: deferredPolicy(deferred, general, problems),
  };
}

function isOn(written: boolean | 'on' | 'off' | undefined): boolean {
  return written === 'on' || written === true;
}

/** A currency of one's own limits needs general limits too, which stay in force. */
function deferredPolicy(
  written: boolean | 'on' | 'off' | Static<typeof DEFERRED> | undefined,
  general: OfflinePolicy['limits'],
  problems: Problems,
): DeferredPolicy {
  if (typeof written !== 'object') return isOn(written) ? STANDARD_DEFERRED : OFF.deferred;
  const { limits, maxCount, cards } = written;
  for (const currency of Object.keys(limits ?? {})) {
    if (Object.hasOwn(general, currency)) continue;
    problems.at(
      ['offline', 'deferred', 'limits', currency],
      `needs limits of ${currency} in offline.limits too`,
    );
  }
  return {
    enabled: true,
    limits: limits ? minorLimits(limits) : STANDARD_DEFERRED.limits,
    maxCount,
    cards: cards ? cardRules(cards) : DEFERRED_CARDS,
  };
}

function minorLimits(limits: Limits): OfflinePolicy['limits'] {
  const entries = Object.entries(limits).map(([currency, { perSale, sum, perCard }]) => [
    currency,
    {
      perSaleMinor: minorOf(perSale, currency),
      sumMinor: minorOf(sum, currency),
      ...(perCard !== undefined && { perCardMinor: minorOf(perCard, currency) }),
    },
  ]);
  return Object.fromEntries(entries);
}

function cardRules(cards: WrittenCards): readonly CardRule[] {
  return Object.entries(cards).flatMap(([mode, ways]) => {
    const entryMode = mode as EntryMode;
    const lower = Array.isArray(ways) ? Object.fromEntries(ways.map((way) => [way, null])) : ways;
    return CARD_VERIFICATIONS.filter((verification) => verification in lower).map((verification) => {
      const limits = Object.entries(lower[verification] ?? {}).map(([currency, text]) => [
        currency,
        minorOf(text, currency),
      ]);
      return {
        entryMode,
        verification,
        ...(limits.length > 0 && { perSaleMinor: Object.fromEntries(limits) }),
      };
    });
  });
}
