import type { EntryMode } from './driver.js';
import type { CommandHooks } from './maker-session.js';
import { failed, STOPPED_BY_TILL } from './result.js';

/** Most requests for a card within one sale: tap again, insert instead, swipe instead. */
export const MAX_CARD_ATTEMPTS = 8;
/** Communication errors of taps in a row that end tapping (ABECS 2.12 §3.7.1; used for every maker). */
const MAX_TAP_ERRORS = 2;

/** Texts for displays that take any text. */
export const CARD_PROMPTS: Readonly<Record<CardPrompt, string>> = {
  present: 'INSERT, TAP OR SWIPE CARD',
  'tap-again': 'TAP AGAIN',
  'one-card': 'PRESENT ONE CARD ONLY',
  'insert-or-swipe': 'INSERT OR SWIPE CARD',
  'look-at-phone': 'SEE PHONE, THEN TAP AGAIN',
  'remove-and-swipe': 'REMOVE CARD AND SWIPE IT',
  'insert-chip': 'INSERT THE CHIP',
  'swipe-again': 'CARD COULD NOT BE READ',
};

/** A request to the cardholder. */
export interface CardAsk {
  readonly attempt: number;
  readonly contactless: boolean;
  /** Communication errors of taps in a row. */
  readonly tapErrors: number;
  /** The chip could not be read: the card must leave the slot, and its magnetic stripe may be used. */
  readonly fallback: boolean;
  readonly prompt: CardPrompt;
}

/** What the cardholder should do. */
export type CardPrompt = 'present' | AgainPrompt;
type AgainPrompt =
  | 'tap-again'
  | 'one-card'
  | 'insert-or-swipe'
  | 'look-at-phone'
  | 'remove-and-swipe'
  | 'insert-chip'
  | 'swipe-again';

/** Why a card that was given could not be used. */
export type CardTrouble =
  /** The tap broke off. */
  | 'tap-error'
  /** Several cards were tapped. */
  | 'several-cards'
  /** The card or the terminal wants another interface. */
  | 'tap-refused'
  /** The cardholder has to confirm on the phone. */
  | 'phone-first'
  | 'chip-unreadable'
  | 'magstripe-unreadable'
  /** A chip card was swiped, and its chip was not tried. */
  | 'chip-first';

/** The next step: ask for the card once more, or end the sale. */
export type CardNext = { readonly kind: 'again'; readonly ask: CardAsk } | { readonly kind: 'give-up' };

/** The first question of a sale. */
export function firstAsk(contactless: boolean): CardAsk {
  return { attempt: 1, contactless, tapErrors: 0, fallback: false, prompt: 'present' };
}

/** The failure of a sale that used all its attempts to read a card. */
export const TOO_MANY_ATTEMPTS = failed(
  'card-error',
  'the terminal prompted for a card too often: it cannot be read, or its chip must be used',
);

const PROMPTS: Readonly<Record<CardTrouble, AgainPrompt>> = {
  'tap-error': 'tap-again',
  'several-cards': 'one-card',
  'tap-refused': 'insert-or-swipe',
  'phone-first': 'look-at-phone',
  'chip-unreadable': 'remove-and-swipe',
  'magstripe-unreadable': 'swipe-again',
  'chip-first': 'insert-chip',
};

/** Prompts with the antenna off. */
const NO_TAP: ReadonlySet<AgainPrompt> = new Set(['insert-or-swipe', 'remove-and-swipe', 'insert-chip']);

/** Prompts for a card until one ends the sale, the till stops it, or the attempts are used up. */
export async function askUntilDecided<T extends { readonly kind: string }>(
  { stopped }: CommandHooks,
  first: CardAsk,
  askOnce: (ask: CardAsk) => Promise<T | CardNext>,
): Promise<T | typeof TOO_MANY_ATTEMPTS | typeof STOPPED_BY_TILL> {
  let ask = first;
  while (!stopped()) {
    const end = await askOnce(ask);
    if (!isNext(end)) return end;
    if (end.kind === 'give-up') return TOO_MANY_ATTEMPTS;
    ask = end.ask;
  }
  return STOPPED_BY_TILL;
}

function isNext(end: { readonly kind: string }): end is CardNext {
  return end.kind === 'again' || end.kind === 'give-up';
}

/** What follows a card that could not be used. @param fallbackAllowed a card whose chip fails may be swiped */
export function nextAsk(ask: CardAsk, trouble: CardTrouble, fallbackAllowed = true): CardNext {
  const tapErrors = trouble === 'tap-error' ? ask.tapErrors + 1 : 0;
  const prompt = tapErrors >= MAX_TAP_ERRORS ? 'insert-or-swipe' : PROMPTS[trouble];
  const fallback = prompt === 'remove-and-swipe';
  const over = ask.attempt >= MAX_CARD_ATTEMPTS || (trouble === 'tap-refused' && !ask.contactless);
  if (over || (fallback && (ask.fallback || !fallbackAllowed))) return { kind: 'give-up' };
  const contactless = ask.contactless && !NO_TAP.has(prompt);
  return {
    kind: 'again',
    ask: { attempt: ask.attempt + 1, contactless, tapErrors, fallback: ask.fallback || fallback, prompt },
  };
}

/**
 * How a swiped card may be used; undefined where its chip must be tried first: a chip card is swiped only after its chip
 * failed.
 */
export function swipedAs(serviceCode: string | undefined, chipFailed: boolean): EntryMode | undefined {
  if (!hasChip(serviceCode)) return 'MAGSTRIPE';
  return chipFailed ? 'MAGSTRIPE_AS_FALLBACK' : undefined;
}

/** A magnetic stripe whose service code begins with 2 or 6 belongs to a card with a chip (ISO/IEC 7813). */
function hasChip(serviceCode: string | undefined): boolean {
  return /^[26]/.test(serviceCode ?? '');
}

/** Third digits of a service code that require a PIN, always or where a PIN pad is (ISO/IEC 7813). */
export function requiresPin(serviceCode: string | undefined): boolean {
  return /^..[03567]/.test(serviceCode ?? '');
}
