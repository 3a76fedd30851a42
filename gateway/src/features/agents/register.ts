import type { Feature, Kernel } from '../../core/feature.js';
import { agentRoutes } from './routes.js';

/** Agents of stores: what a merchant may request from its own. */
export function register(kernel: Kernel): Feature {
  return { routes: (server) => agentRoutes(server, kernel) };
}
