import type { Echo } from '@tillbridge/protocol/api/echo.js';

/** Longest text of `descriptor` in an answer, in characters (spec 2.10). */
const MAX_DESCRIPTOR = 127;
/** How many numbers of the form NNNN.NNNN.NNNN there are. */
const SHORT_IDS = 10n ** 12n;

/**
 * What stands on the shopper's statement: `merchant.name` over `descriptor` (spec 2.1), and where neither was sent the short id and the
 * name of the entity (reference §7).
 */
export function descriptorOf(echo: Echo, paymentId: string, entityName: string): string {
  const { merchant, descriptor } = echo;
  const name = typeof merchant === 'object' && !Array.isArray(merchant) ? merchant.name : undefined;
  const sent = [name, descriptor].find((text) => typeof text === 'string');
  const whole = typeof sent === 'string' ? sent : `${shortId(paymentId)} ${entityName}`;
  return [...whole].slice(0, MAX_DESCRIPTOR).join('');
}

/** A number for people to read out, `NNNN.NNNN.NNNN`, always the same for an id of 32 hex digits. */
export function shortId(paymentId: string): string {
  const digits = String(BigInt(`0x${paymentId}`) % SHORT_IDS).padStart(12, '0');
  return `${digits.slice(0, 4)}.${digits.slice(4, 8)}.${digits.slice(8)}`;
}
