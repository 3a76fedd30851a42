import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import { fetchHostTransactions, type GatewayAccess } from '../hosts/host-transactions.js';
import {
  DEFAULT_LATENCY_MS,
  MAX_LATENCY_MS,
  type NetworkProxy,
  type NetworkState,
} from '../hosts/network-proxy.js';

const NETWORK_BODY = {
  type: 'object',
  required: ['state'],
  additionalProperties: false,
  properties: {
    state: { type: 'string', enum: ['up', 'down', 'slow'] },
    latencyMs: { type: 'integer', minimum: 0, maximum: MAX_LATENCY_MS },
    dropAnswers: { type: 'boolean' },
  },
} as const;

/** `PUT /network`, `GET /network` and `GET /host/transactions`. */
export function hostRoutes(
  app: FastifyInstance,
  proxy: NetworkProxy | undefined,
  gateway: GatewayAccess | undefined,
): void {
  const required = (): NetworkProxy => {
    if (!proxy)
      throw new ControlError('no-proxy', 'there is no proxy: set proxy.target to host:port of the gateway');
    return proxy;
  };
  app.get('/network', () => required().network);
  app.put<{ Body: Pick<NetworkState, 'state'> & Partial<NetworkState> }>(
    '/network',
    { schema: { body: NETWORK_BODY } },
    ({ body }) => {
      const latencyMs = body.latencyMs ?? (body.state === 'slow' ? DEFAULT_LATENCY_MS : 0);
      required().set({ state: body.state, latencyMs, dropAnswers: body.dropAnswers ?? false });
      return required().network;
    },
  );
  app.get('/host/transactions', () => fetchHostTransactions(gateway));
}
