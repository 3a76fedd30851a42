import type { CardType, IccStatus } from '@tillbridge/protocol/terminals/abecs/results.js';
import { type StatusHint, statusOf } from '@tillbridge/protocol/terminals/abecs/statuses.js';
import type { EntryMode } from '../core/driver.js';
import { hasChip } from '../core/service-code.js';
import { MAX_CARD_ATTEMPTS } from './limits.js';

/** What is asked of the cardholder: the way GCX is sent. */
export interface CardAsk {
  readonly contactless: boolean;
  /** Communication errors of taps in a row (ABECS 2.12 §3.7.1: the second one ends tapping). */
  readonly tapErrors: number;
  readonly attempt: number;
  /** A chip could not be read: the card must leave the slot and may be swiped. */
  readonly fallback: boolean;
}

/** What to do after GCX failed or gave a card that may not be used. */
export type CardNext =
  | { readonly kind: 'ask'; readonly ask: CardAsk; readonly prompt: CardPrompt }
  | { readonly kind: 'give-up' };

/** Why the cardholder is asked again. */
export type CardPrompt =
  | 'tap-again'
  | 'insert-or-swipe'
  | 'look-at-phone'
  | 'remove-and-swipe'
  | 'insert-chip'
  | 'swipe-again';

/** The first request of a sale. */
export function firstAsk(contactless: boolean): CardAsk {
  return { contactless, tapErrors: 0, attempt: 1, fallback: false };
}

const NEXT_PROMPT: Readonly<Partial<Record<StatusHint, CardPrompt>>> = {
  'tap-again': 'tap-again',
  'tap-refused': 'insert-or-swipe',
  'tap-after-phone': 'look-at-phone',
  // 079 blocked, met by a tap, sends the cardholder to the chip; met by a chip it is final.
  'card-blocked': 'insert-or-swipe',
  fallback: 'remove-and-swipe',
};

function again(ask: CardAsk, prompt: CardPrompt, change: Partial<CardAsk>): CardNext {
  if (ask.attempt >= MAX_CARD_ATTEMPTS) return { kind: 'give-up' };
  return { kind: 'ask', prompt, ask: { ...ask, tapErrors: 0, ...change, attempt: ask.attempt + 1 } };
}

/** What follows an error status of GCX (ABECS 2.12 §3.7.1, remarks 1 and 2). */
export function afterCardStatus(ask: CardAsk, status: number, fallbackAllowed: boolean): CardNext {
  const spec = statusOf(status);
  const prompt = NEXT_PROMPT[spec.hint];
  switch (prompt) {
    case 'tap-again': {
      const tapErrors = spec.name === 'ST_CTLSCOMMERR' ? ask.tapErrors + 1 : 0;
      if (tapErrors < 2) return again(ask, prompt, { tapErrors });
      return again(ask, 'insert-or-swipe', { contactless: false });
    }
    case 'insert-or-swipe':
      return ask.contactless ? again(ask, prompt, { contactless: false }) : { kind: 'give-up' };
    case 'look-at-phone':
      return again(ask, prompt, {});
    case 'remove-and-swipe': {
      const first = fallbackAllowed && !ask.fallback;
      return first ? again(ask, prompt, { contactless: false, fallback: true }) : { kind: 'give-up' };
    }
    default:
      return { kind: 'give-up' };
  }
}

/**
 * Whether a swiped card may be used, or must show its chip first: a chip card is swiped only after its chip failed
 * (PP_ICCSTAT, ABECS 2.12 §3.7.1).
 */
export function afterSwipe(
  ask: CardAsk,
  serviceCode: string | undefined,
  iccStatus: IccStatus,
  fallbackAllowed: boolean,
): CardNext | { readonly kind: 'accept' } {
  if (!hasChip(serviceCode)) return { kind: 'accept' };
  if (iccStatus === 'fallback-allowed' && fallbackAllowed) return { kind: 'accept' };
  return again(ask, 'insert-chip', { contactless: false });
}

/** A stripe was swiped and none of its tracks could be read. */
export function afterUnreadableSwipe(ask: CardAsk): CardNext {
  return again(ask, 'swipe-again', {});
}

/** How the card came in, for `pos.entryMode`. */
export function entryModeOf(
  type: CardType,
  iccStatus: IccStatus | undefined,
  serviceCode: string | undefined,
): EntryMode {
  switch (type) {
    case 'contact':
      return 'ICC';
    case 'contactless':
      return 'NFC_ICC';
    case 'contactless-magstripe':
      return 'NFC_MAGSTRIPE';
    case 'magstripe': {
      const fallback = iccStatus === 'fallback-allowed' && hasChip(serviceCode);
      return fallback ? 'MAGSTRIPE_AS_FALLBACK' : 'MAGSTRIPE';
    }
  }
}
