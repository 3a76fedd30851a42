import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { hostClock } from '@tillbridge/protocol/seams/host-clock.js';

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = hostClock(globalThis);
