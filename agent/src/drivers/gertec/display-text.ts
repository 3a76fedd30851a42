import { exactAmount, type Money } from '@tillbridge/wire/payment/money.js';
import type { CardPrompt } from '../core/card-attempts.js';

const LINE = 16;
const LINE_BREAK = '\r';

/** Texts for a repeated request; lines broken as the device breaks them. */
export const PROMPT_TEXTS: Readonly<Record<Exclude<CardPrompt, 'present'>, string>> = {
  'tap-again': 'PLEASE TAP\rAGAIN',
  'one-card': 'PLEASE TAP\rONE CARD AGAIN',
  'insert-or-swipe': 'INSERT OR SWIPE\rYOUR CARD',
  'look-at-phone': 'SEE PHONE, THEN\rTAP AGAIN',
  'remove-and-swipe': 'CHIP NOT READ:\rSWIPE YOUR CARD',
  'insert-chip': 'PLEASE INSERT\rYOUR CARD',
  'swipe-again': 'NOT READ: PLEASE\rSWIPE AGAIN',
};

/** Shown while a chip card that cannot be read must leave the slot. */
export const REMOVE_FOR_SWIPE = ['CHIP NOT READ:', 'SWIPE INSTEAD'] as const;

/** A prompt on one line, for the cashier. */
export function oneLine(text: string): string {
  return text.replaceAll(LINE_BREAK, ' ').trim();
}

/** An amount for the display: `EUR 12.34`, `JPY 1234`. */
export function displayAmount(money: Money): string {
  return `${money.currency} ${exactAmount(money)}`;
}

/** Breaks a text into the two lines of a display, at a space where one is; what does not fit is cut. */
export function twoLines(text: string): readonly [string, string] {
  const clean = text.replace(/\s+/g, ' ').trim();
  if (clean.length <= LINE) return [clean, ''];
  const space = clean.lastIndexOf(' ', LINE);
  const at = space > 0 ? space : LINE;
  return [clean.slice(0, at), clean.slice(at).trim().slice(0, LINE)];
}
