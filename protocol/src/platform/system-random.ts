import { randomBytes } from 'node:crypto';
import type { Random } from '../seams/random.js';

/** The operating system's random numbers. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
