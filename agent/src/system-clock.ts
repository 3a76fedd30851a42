import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { hostClock } from '@tillbridge/protocol/seams/host-clock.js';

/** The operating system's clocks. */
export const systemClock: Clock = hostClock(globalThis);
