import type { Feature, Kernel } from '../../core/feature.js';
import { refusedDevices } from './inbox-source.js';
import { deviceRoutes } from './routes.js';

/** The inventory of devices that account data is taken from. */
export function register(kernel: Kernel): Feature {
  return { routes: (server) => deviceRoutes(server, kernel), inbox: [refusedDevices(kernel)] };
}
