import type { FastifyInstance } from 'fastify';
import type { GatewayAccess } from '../hosts/host-transactions.js';
import type { NetworkProxy } from '../hosts/network-proxy.js';
import { type RestAppOptions, restApp } from '../rest/rest-app.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';
import { cardRoutes } from './card-routes.js';
import { hostRoutes } from './host-routes.js';
import { terminalRoutes } from './terminal-routes.js';

/** What the REST control acts on. */
export interface ControlOptions extends RestAppOptions {
  readonly terminals: SimulatedTerminals;
  readonly proxy: NetworkProxy | undefined;
  readonly gateway: GatewayAccess | undefined;
}

/** The simulator's REST control. */
export function buildControl({ terminals, proxy, gateway, ...options }: ControlOptions): FastifyInstance {
  const app = restApp(options);
  cardRoutes(app);
  terminalRoutes(app, terminals);
  hostRoutes(app, proxy, gateway);
  return app;
}
