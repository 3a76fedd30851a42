import type { Feature, Kernel } from '../../core/feature.js';
import { standInRoutes } from './routes.js';

/** Payments that were decided in the place of a host. */
export function register(kernel: Kernel): Feature {
  return { routes: (server) => standInRoutes(server, kernel) };
}
