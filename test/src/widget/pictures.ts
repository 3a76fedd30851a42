import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where pictures of the journeys are put, for those who look at them. */
export const PICTURES = process.env.TILLBRIDGE_PICTURES ?? join(tmpdir(), 'tillbridge-pictures');
mkdirSync(PICTURES, { recursive: true });
