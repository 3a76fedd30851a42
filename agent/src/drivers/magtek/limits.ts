/** Longest wait for the answer of a command; none of them waits for people. */
export const COMMAND_TIMEOUT_MS = 5_000;
/** How much longer than its timeout the device may take to report that no card came. */
export const CARD_GRACE_MS = 5_000;
/** Time for a card that is there: reading, application choice, several tries at a PIN. */
export const CARD_HANDLING_MS = 180_000;
/** Pages that a card number is keyed in on, each of which the device waits for as long as for a card: number, expiry, code. */
export const MANUAL_ENTRY_PAGE_COUNT = 3;
/** Longest wait for the second cryptogram. */
export const COMPLETE_TIMEOUT_MS = 60_000;
/** How long a card may stay in the slot before the request to remove it is given up. */
export const REMOVE_CARD_MS = 120_000;
/** Longest start of a device after a reset. */
export const BOOT_TIMEOUT_MS = 30_000;
/** How long the device waits for the issuer before it sends its request again, and how often it does. */
export const ISSUER_WAIT_SECONDS = 30;
export const ISSUER_RETRIES = 20;
/** Silence during a transaction after which a command checks that the device is there; with {@link COMMAND_TIMEOUT_MS} within 10 s. */
export const LIVENESS_PAUSE_MS = 4_000;
