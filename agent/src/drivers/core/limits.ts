/** Pause between two liveness checks while nothing runs. */
export const LIVENESS_INTERVAL_MS = 15_000;
/** How long the last message of a sale stays before the idle display. */
export const LAST_MESSAGE_MS = 4_000;
/** Longest wait for the end of what a cancel stopped, where the terminal does not confirm the cancel itself. */
export const CANCEL_TIMEOUT_MS = 10_000;
/** Wait before a session is tried again on an open port; each further one twice as long. */
export const FIRST_SESSION_RETRY_MS = 500;
/** Longest wait between two tries at a session. */
export const MAX_SESSION_RETRY_MS = 10_000;
/** Failed sessions in a row on one open port before the port is opened again. */
export const SESSIONS_PER_PORT = 3;
/** Bytes of one `pos.*` parameter of the REST API: 2,048 hex characters. */
export const MAX_POS_FIELD_BYTES = 1_024;
