import type { PresentMode } from '../../cards/catalogue.js';

/** What a cardholder did at a terminal. Digits are not kept: a PIN was the card’s own, or another one. */
export type CardholderAct =
  | {
      readonly act: 'present';
      readonly card: string;
      readonly how: PresentMode;
      /** A second card was in the field. */
      readonly second?: true;
    }
  | { readonly act: 'pin'; readonly pin: 'right' | 'wrong' | 'bypass' | 'cancel' }
  /** The cancel key outside of a PIN. */
  | { readonly act: 'cancel' }
  /** Took the card out while the terminal was in this state. */
  | { readonly act: 'remove'; readonly during: string };
