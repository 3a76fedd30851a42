import { randomBytes } from 'node:crypto';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { hostClock } from '@tillbridge/protocol/seams/host-clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';

/** The operating system's clocks. */
export const systemClock: Clock = hostClock(globalThis);

/** The operating system's randomness. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
