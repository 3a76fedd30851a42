/** How long the host waits for ACK or NAK after a command (ABECS 2.12 §2.2.2.1). */
export const ACK_TIMEOUT_MS = 2_000;
/** How long the answer to a non-blocking command may take (ABECS 2.12 §2.2.2). */
export const RESPONSE_TIMEOUT_MS = 10_000;
/** How long the host waits for EOT after CAN (ABECS 2.12 §2.2.2.3). */
export const EOT_TIMEOUT_MS = 2_000;
/** Longest pause between two bytes of one packet (ABECS 2.12 §2.2.3). */
export const INTER_BYTE_TIMEOUT_MS = 2_000;
/** Silence that ends the garbage after a damaged packet, before NAK is sent (ABECS 2.12 §2.2.3). */
export const RESYNC_SILENCE_MS = 500;
/** How often a command is sent before the line is given up (ABECS 2.12 §2.2.2.1). */
export const MAX_COMMAND_SENDS = 3;
/** How many damaged answers in a row are tolerated (ABECS 2.12 §2.2.2.2). */
export const MAX_DAMAGED_RESPONSES = 3;
/** How often CAN is sent before the line is given up (ABECS 2.12 §2.2.2.3). */
export const MAX_CANCEL_SENDS = 3;
