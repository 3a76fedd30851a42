import { shortId } from '@tillbridge/wire/payment/short-id.js';
import type { Echo } from '../../../kernel/api/echo.js';

/** Longest text of `descriptor` in an answer, in characters. */
const MAX_DESCRIPTOR = 127;

/**
 * What stands on the shopper's statement: `merchant.name` over `descriptor`, and where neither was sent the short id and the
 * name of the entity (docs/rest-api.md).
 */
export function descriptorOf(echo: Echo, paymentId: string, entityName: string): string {
  const { merchant, descriptor } = echo;
  const name = typeof merchant === 'object' && !Array.isArray(merchant) ? merchant.name : undefined;
  const sent = [name, descriptor].find((text) => typeof text === 'string');
  const whole = typeof sent === 'string' ? sent : `${shortId(paymentId)} ${entityName}`;
  // So many code units are at most so many characters.
  return whole.length <= MAX_DESCRIPTOR ? whole : [...whole].slice(0, MAX_DESCRIPTOR).join('');
}
