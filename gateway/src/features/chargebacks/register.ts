import type { Feature, Kernel } from '../../core/feature.js';
import { CHARGEBACK_LIMITS } from '../../core/payments/chargebacks/chargebacks.js';
import { chargebackRoutes } from './routes.js';

/** Chargebacks: they are booked while the gateway runs; in test mode they can be made to happen. */
export function register(kernel: Kernel): Feature {
  return {
    routes: (server) => chargebackRoutes(server, kernel),
    work: (background) =>
      background.repeat({
        name: 'booking of chargebacks',
        single: true,
        intervalMs: CHARGEBACK_LIMITS.intervalMs,
        work: () => kernel.chargebacks.round(),
        fault: 'chargebacks were not booked',
      }),
  };
}
