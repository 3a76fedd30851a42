import type { Row } from '../machine.test.support.js';
import { AFTER } from './after.test.support.js';
import { AUTHORIZING_ROWS } from './authorizing.test.support.js';
import { CAPTURES } from './captures.test.support.js';
import { ACCEPTED, READING_CARD } from './card.test.support.js';
import { MANUAL_RESOLUTION_ROWS } from './manual-resolution.test.support.js';
import { OFFLINE_ROWS } from './offline.test.support.js';
import { PARTS, REFERRALS, STUCK } from './parked.test.support.js';
import { COMPLETING, UNKNOWN_ROWS } from './resolving.test.support.js';

/** The rows of the machine by the phase, or the part of its work, that they try. */
export const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  accepted: ACCEPTED,
  'reading-card': READING_CARD,
  authorizing: AUTHORIZING_ROWS,
  completing: COMPLETING,
  unknown: UNKNOWN_ROWS,
  'reversing, done, parked': AFTER,
  captures: CAPTURES,
  referrals: REFERRALS,
  'approvals of a part': PARTS,
  'stuck sales': STUCK,
  'manually resolved': MANUAL_RESOLUTION_ROWS,
  'without the gateway': OFFLINE_ROWS,
};
