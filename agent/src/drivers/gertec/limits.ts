/** Time to spend on the card once it is there, over what the device waits for one (application choice, taps again). */
export const CARD_HANDLING_MS = 120_000;
/** Longest silence of a cardholder before a PIN entry is given up (SPE_TIMEOUT of GOX; fixed for GPN). */
export const PIN_TIMEOUT_SECONDS = 60;
/** Guard of GOX and GPN: several tries at an offline PIN, each up to its silence. */
export const PIN_HANDLING_MS = 300_000;
/** How long FCX may wait for a card to be tapped again for issuer scripts (SPE_TIMEOUT of FCX). */
export const SCRIPT_TAP_SECONDS = 20;
/** Guard of FCX. */
export const FINISH_CHIP_MS = 60_000;
/** How long a card may stay in the slot before the request to remove it is given up. */
export const REMOVE_CARD_MS = 180_000;
/** Longest wait for a card that the device takes: SPE_TIMEOUT has one byte, in seconds. */
export const MAX_CARD_TIMEOUT_SECONDS = 255;
