/** Longest wait for the answer of a command that needs no cardholder. */
export const COMMAND_TIMEOUT_MS = 5_000;
/** Longest wait for the end of what an abort stopped. */
export const ABORT_TIMEOUT_MS = 5_000;
/** Time for a card that is there: reading, application choice, several tries at a PIN. */
export const CARD_HANDLING_MS = 180_000;
/** Longest wait for the second cryptogram. */
export const CONTINUE_TIMEOUT_MS = 60_000;
/** Longest PIN entry outside a transaction command. */
export const PIN_TIMEOUT_MS = 90_000;
/** Longest wait for the magstripe data after the device reported a swipe. */
export const MAGSTRIPE_TIMEOUT_MS = 3_000;
/** How long a card may stay in the slot before the request to remove it is given up. */
export const REMOVE_CARD_MS = 180_000;
/** Characters of a display row, and its rows. */
export const DISPLAY_COLUMNS = 21;
export const DISPLAY_ROWS = 4;
