/**
 * How often a frame of type A is sent before it is given up, and how long its confirmation may take (from public sources
 * incomplete: the guide names neither).
 */
export const MAX_FRAME_SENDS = 3;
export const ACK_TIMEOUT_MS = 1_000;
/** Silence inside a frame of type A after which it is given up. */
export const SILENCE_MS = 500;
/** Most frames that wait for the confirmation of those before them. */
export const MAX_QUEUED_FRAMES = 64;
