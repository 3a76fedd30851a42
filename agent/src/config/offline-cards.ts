import type { EntryMode } from '../drivers/core/driver.js';
import {
  CARD_VERIFICATIONS,
  type CardRule,
  type CardVerification,
  OFFLINE_MAXIMA,
} from '../sale/offline-policy.js';
import { type Problems, type Rule, Section } from './section.js';

/** Ways of verifying a holder that exist for each way of reading a card that may be allowed offline. */
const VERIFICATIONS_OF: Readonly<Partial<Record<EntryMode, readonly CardVerification[]>>> = {
  ICC: ['offline-pin', 'signature', 'none'],
  NFC_ICC: ['device', 'signature', 'none'],
};

const ALLOWED = Object.keys(VERIFICATIONS_OF) as EntryMode[];
const NEVER: readonly EntryMode[] = ['MANUAL', 'MAGSTRIPE', 'MAGSTRIPE_AS_FALLBACK', 'NFC_MAGSTRIPE'];

/** Most units that a limit for one way may name: the sale's own limit stays in force beside it. */
const MAX_UNITS = OFFLINE_MAXIMA.perSaleUnits;

/** Gives the rule for an amount of a currency, at most `maxUnits`. */
type AmountRule = (currency: string, maxUnits: number) => Rule<number>;

/**
 * Reads `cards`: for each way of reading a list of ways of verification, or a mapping of them to lower limits by currency:
 * `{ICC: [offline-pin, none], NFC_ICC: {none: {EUR: "25.00"}}}`.
 */
export function readCards(
  section: Section,
  problems: Problems,
  amount: AmountRule,
  preset: readonly CardRule[],
): readonly CardRule[] {
  const value = section.raw('cards');
  if (value === undefined) return preset;
  const cards = new Section(value, section.at('cards'), [...ALLOWED, ...NEVER], problems);
  return cards.keys().flatMap((key) => {
    const entryMode = [...ALLOWED, ...NEVER].find((mode) => mode === key);
    if (!entryMode) return [];
    const verifications = VERIFICATIONS_OF[entryMode];
    if (verifications) return readMode(cards, entryMode, verifications, problems, amount);
    problems.add(cards.at(key), `is never taken offline; only ${ALLOWED.join(' and ')} can be`);
    return [];
  });
}

function readMode(
  cards: Section,
  entryMode: EntryMode,
  verifications: readonly CardVerification[],
  problems: Problems,
  amount: AmountRule,
): CardRule[] {
  const value = cards.raw(entryMode);
  const place = cards.at(entryMode);
  if (Array.isArray(value)) {
    const known = verifications.filter((verification) => value.includes(verification));
    if (known.length !== value.length || value.length === 0) problems.add(place, expected(verifications));
    return known.map((verification) => ({ entryMode, verification }));
  }
  if (typeof value !== 'object' || value === null) {
    problems.add(place, expected(verifications));
    return [];
  }
  const mode = new Section(value, place, verifications, problems);
  return CARD_VERIFICATIONS.filter((verification) => mode.keys().includes(verification)).map(
    (verification) => ({ entryMode, verification, ...readAmounts(mode, verification, problems, amount) }),
  );
}

function readAmounts(
  mode: Section,
  verification: CardVerification,
  problems: Problems,
  amount: AmountRule,
): Pick<CardRule, 'perSaleMinor'> {
  const value = mode.raw(verification);
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  const currencies = isMapping ? Object.keys(value) : [];
  const amounts = new Section(value, mode.at(verification), currencies, problems);
  const entries = currencies.map(
    (currency) => [currency, readAmount(amounts, currency, problems, amount)] as const,
  );
  const known = entries.filter((entry): entry is [string, number] => entry[1] !== undefined);
  return known.length === 0 ? {} : { perSaleMinor: Object.fromEntries(known) };
}

function readAmount(
  amounts: Section,
  currency: string,
  problems: Problems,
  amount: AmountRule,
): number | undefined {
  if (/^[A-Z]{3}$/.test(currency)) return amounts.need(currency, amount(currency, MAX_UNITS));
  problems.add(amounts.at(currency), 'must be an ISO 4217 code of three uppercase letters, such as EUR');
  return undefined;
}

function expected(verifications: readonly CardVerification[]): string {
  return `must be a list out of ${verifications.join(', ')}, or a mapping of them to limits such as {EUR: "25.00"}`;
}
