import type { Feature, Kernel } from '../../core/feature.js';
import { KnownSlices } from './known-slices.js';
import { searchRoutes } from './routes/routes.js';
import { PaymentSlices, SLICE_LIMITS } from './slices.js';

/** Payments found by what they have, and added up. */
export function register(kernel: Kernel): Feature {
  const { store, clock, fingerprint } = kernel;
  const markOf = (email: string): string => fingerprint('search', email);
  const known = new KnownSlices(store, clock);
  const slices = new PaymentSlices({ store, clock, markOf });
  return {
    routes: (server) => searchRoutes(server, { ...kernel, slices: known, markOf }),
    work: (background) =>
      background.repeat({
        intervalMs: SLICE_LIMITS.intervalMs,
        work: () => slices.round(),
        fault: 'slices of payments were not made: searches take longer',
        name: 'payment-slices',
        single: true,
      }),
  };
}
