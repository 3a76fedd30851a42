/** Longest wait for the answer of a command that needs no cardholder (as in the published host). */
export const COMMAND_TIMEOUT_MS = 5_000;
/** Longest wait after PERFORM TRANSACTION for the callback that a card is requested. */
export const FIRST_SIGN_MS = 5_000;
/** How much later than requested the pad may report that no card came. */
export const CARD_GRACE_MS = 5_000;
/** How often the pad may prompt for a card within one sale. */
export const MAX_CARD_PROMPTS = 8;
/** Time for a card that is there: reading, application choice, several tries at a PIN. */
export const CARD_HANDLING_MS = 180_000;
/** Longest wait for the second cryptogram. */
export const COMPLETE_TIMEOUT_MS = 60_000;
/** Seconds that the cardholder may take for a PIN. */
export const PIN_SECONDS = 60;
/** Seconds for the entry of an expiry. */
export const DIALOG_SECONDS = 60;
/** How often the driver polls whether the card is still there. */
export const REMOVAL_POLL_MS = 100;
/** How long a card may stay in the slot before the request to remove it is given up. */
export const REMOVE_CARD_MS = 180_000;
/** Longest answer that GET DATA and GET TLV LIST may give. */
export const MAX_DATA_BYTES = 1_024;
/** Characters of a display row. */
export const DISPLAY_COLUMNS = 20;
