import type { Feature, Kernel } from '../../core/feature.js';
import { registrationRoutes } from './routes.js';

/** Payment details that merchants keep for later payments. */
export function register(kernel: Kernel): Feature {
  return { routes: (server) => registrationRoutes(server, kernel) };
}
