import type { Random } from '@tillbridge/wire/seams/random.js';
import { newId } from '../../store/new-id.js';

/** Whether a gateway, and what it made, is of the test mode. */
export type Mode = 'test' | 'live';

const CHECKOUT_ID = /^[0-9A-F]{32}-(test|live)$/;

/** A fresh id of a checkout that cannot be guessed: 32 uppercase hex and the mode it is of (letters, digits, hyphen). */
export function newCheckoutId(random: Random, mode: Mode): string {
  return reservedCheckoutId(newId(random), mode);
}

/** The id of the checkout for which an id was given out before it was made (`Idempotency-Key`). */
export function reservedCheckoutId(id: string, mode: Mode): string {
  return `${id.toUpperCase()}-${mode}`;
}

/** The mode that an id of a checkout names; undefined for what is none. */
export function modeOf(checkoutId: string): Mode | undefined {
  return CHECKOUT_ID.exec(checkoutId)?.[1] as Mode | undefined;
}
