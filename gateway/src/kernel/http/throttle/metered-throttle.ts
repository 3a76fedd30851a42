import { Counter, type Registry } from 'prom-client';
import { THROTTLED_OPERATIONS, type Throttle } from './throttle.js';

/** The throttle, with what it held back counted by operation. */
export function meteredThrottle(throttle: Throttle, registry: Registry): Throttle {
  const held = new Counter({
    name: 'tillbridge_gateway_throttled_total',
    help: 'Requests refused because their merchant sent too many',
    labelNames: ['operation'],
    registers: [registry],
  });
  for (const operation of THROTTLED_OPERATIONS) held.inc({ operation }, 0);
  return {
    async take(merchantId, operation) {
      const waitMs = await throttle.take(merchantId, operation);
      if (waitMs > 0) held.inc({ operation });
      return waitMs;
    },
    async wait(merchantId, operation) {
      const waitMs = await throttle.wait(merchantId, operation);
      if (waitMs > 0) held.inc({ operation });
      return waitMs;
    },
  };
}
