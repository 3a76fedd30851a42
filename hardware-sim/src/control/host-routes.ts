import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import { acquirerHostView, callAcquirerControl } from '../hosts/acquirer-control.js';
import { fetchHostTransactions, type GatewayAccess } from '../hosts/host-transactions.js';
import {
  DEFAULT_LATENCY_MS,
  MAX_LATENCY_MS,
  type NetworkProxy,
  type NetworkState,
} from '../hosts/network-proxy.js';
import type { SimulatorEvents } from '../simulator/simulator-events.js';

/** What the network is set to. */
export const NETWORK_BODY = {
  type: 'object',
  required: ['state'],
  additionalProperties: false,
  properties: {
    state: { type: 'string', enum: ['up', 'down', 'slow'] },
    latencyMs: { type: 'integer', minimum: 0, maximum: MAX_LATENCY_MS },
    dropAnswers: { type: 'boolean' },
  },
} as const;

/** A network as a request writes it. */
export type WrittenNetwork = Pick<NetworkState, 'state'> & Partial<NetworkState>;

/** The network that was written, with what it left out. */
export function networkOf({ state, latencyMs, dropAnswers = false }: WrittenNetwork): NetworkState {
  return { state, latencyMs: latencyMs ?? (state === 'slow' ? DEFAULT_LATENCY_MS : 0), dropAnswers };
}

/** The hosts that are reached from here. */
export interface Hosts {
  readonly proxy: NetworkProxy | undefined;
  readonly gateway: GatewayAccess | undefined;
  /** REST control of the acquirer host. */
  readonly acquirerControlUrl: string | undefined;
}

/** `PUT /network`, `GET /network`, `GET /host/transactions`; rules and faults of the acquirer host, relayed. */
export function hostRoutes(
  app: FastifyInstance,
  { proxy, gateway, acquirerControlUrl }: Hosts,
  events: SimulatorEvents,
): void {
  const required = (): NetworkProxy => {
    if (!proxy)
      throw new ControlError('no-proxy', 'there is no proxy: set proxy.target to host:port of the gateway');
    return proxy;
  };
  app.get('/network', () => required().network);
  app.put<{ Body: WrittenNetwork }>('/network', { schema: { body: NETWORK_BODY } }, ({ body }) => {
    required().set(networkOf(body));
    events.tell('network', required().network);
    return required().network;
  });
  app.get('/host/transactions', () => fetchHostTransactions(gateway, acquirerControlUrl));
  app.get('/host', () => acquirerHostView(acquirerControlUrl));
  for (const path of ['rules', 'faults']) {
    app.get(`/host/${path}`, () => callAcquirerControl(acquirerControlUrl, 'GET', `/${path}`));
    app.put(`/host/${path}`, async ({ body }) => {
      const answer = await callAcquirerControl(acquirerControlUrl, 'PUT', `/${path}`, body);
      if (path === 'rules') events.tell('changed', { list: 'rules' });
      return answer;
    });
  }
}
