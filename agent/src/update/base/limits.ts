/** Limits of an update, in milliseconds where nothing else is stated. */
export const UPDATE_LIMITS = {
  /** How long a simulated sale may take. */
  saleMs: 20_000,
  /** How long a program may take for the copy of the journal and for the rehearsal: journals of years are copied. */
  programMs: 600_000,
  /** How long the agent may take to end: longer than the unit's TimeoutStopSec. */
  stopMs: 120_000,
  /** Between two looks at the agent. */
  lookMs: 500,
  /** Between two looks at a store that is not idle. */
  idleLookMs: 500,
  /** How long an update waits for an idle store. */
  patienceMs: 12 * 3_600_000,
  /** How long a download may stand still. */
  downloadStallMs: 60_000,
  /** Room on the disk, as a multiple of the archive. */
  roomTimes: 6,
  /** Files and folders of an archive, and bytes of all. */
  maxEntries: 20_000,
  maxUnpackedBytes: 2 * 1_024 * 1_024 * 1_024,
} as const;
