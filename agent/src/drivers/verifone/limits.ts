/** Longest wait for the answer of a command that needs no cardholder. */
export const COMMAND_TIMEOUT_MS = 5_000;
/** Longest wait for the answer to an abort. */
export const ABORT_TIMEOUT_MS = 5_000;
/** Longest wait for the repetition of a frame that came damaged. */
export const REPEAT_TIMEOUT_MS = 2_000;
/** Time for a card that is there: reading, application choice, several tries at a PIN. */
export const CARD_HANDLING_MS = 180_000;
/** Time for a card number to be keyed in, once the wait for a card is over. */
export const KEY_ENTRY_MS = 120_000;
/** Longest wait for the second cryptogram. */
export const COMPLETE_TIMEOUT_MS = 60_000;
/** How long the device waits in GET PIN, and how long the driver waits for the device. */
export const PIN_TIMEOUT_SECONDS = 60;
export const PIN_GUARD_MS = 90_000;
/** One wait for the card to leave the slot: it cannot be aborted, so it is short and repeated. */
export const REMOVAL_STEP_SECONDS = 5;
/** How long a card may stay in the slot before the request to remove it is given up. */
export const REMOVE_CARD_MS = 180_000;
/** Longest wait until a receipt is printed. */
export const PRINT_TIMEOUT_MS = 30_000;
