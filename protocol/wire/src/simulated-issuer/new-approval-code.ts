import type { Random } from '../seams/random.js';

/** Six digits, each equally likely enough for a name tag. */
export function newApprovalCode(random: Random): string {
  return Array.from(random.bytes(6), (byte) => String(byte % 10)).join('');
}
