/** Longest wait for the answer of a command that needs no cardholder, and for the message that another one begins. */
export const COMMAND_TIMEOUT_MS = 5_000;
/** Longest wait for the end of what a cancel stopped. */
export const CANCEL_TIMEOUT_MS = 5_000;
/** Time for a card that is there: reading, application choice, removing a mute chip and swiping it. */
export const CARD_HANDLING_MS = 90_000;
/** Time for the first cryptogram: several tries at a PIN. */
export const AUTHENTICATE_TIMEOUT_MS = 180_000;
/** Longest wait for the second cryptogram. */
export const COMPLETE_TIMEOUT_MS = 60_000;
/** Longest PIN entry of a tap; the device ends it after three minutes. */
export const PIN_TIMEOUT_MS = 190_000;
/** How long the device may wait for the next command of a sale, and for the host's answer. */
export const NEXT_COMMAND_SECONDS = 120;
/** How long a card may stay in the slot before the request to remove it is given up. */
export const REMOVE_CARD_MS = 180_000;
/** Longest entry of a card number and its expiry. */
export const KEYED_CARD_SECONDS = 120;
