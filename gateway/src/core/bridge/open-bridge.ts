import { systemClock as clock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import type { FastifyInstance } from 'fastify';
import type { Closers, Foundation } from '../../app/wiring/foundation.js';
import type { PaymentParts } from '../../app/wiring/open-kernel.js';
import { startBridgeWork } from '../../app/wiring/start-work.js';
import { transportOf } from '../../app/wiring/transport.js';
import type { Background } from '../../kernel/workers/background.js';
import { MessageSeal } from '../../security/vault/message-seal.js';
import { bridgeArrival } from './bridge-arrival.js';
import { attachBridge, type BridgeEndpoint } from './endpoint.js';
import type { RaiseTrustAlert } from './enrolment/trust-alerts.js';

/** How soon agents of a node that stops go to another one, in milliseconds. */
const OTHER_NODE_MS = 200;

/** Attaches the bridge to the server, and starts its work. */
export function openBridge(
  foundation: Foundation,
  { alerts, service, watched, dataKeys }: PaymentParts,
  { background, server }: { readonly background: Background; readonly server: FastifyInstance },
  closers: Closers,
): BridgeEndpoint {
  const { config, logger, strangers, identity, pins, signals, store, node, isSingleNode, onFault } =
    foundation;
  const transport = transportOf(config);
  const seal = new MessageSeal(dataKeys.ring);
  const alert: RaiseTrustAlert = (about) =>
    void alerts.raise(about).catch((error: unknown) => onFault('alert not stored', error));
  const bridge = attachBridge({
    arrivalOf: (request) => bridgeArrival(transport, request, pins().tlsPins),
    trust: { signingKey: identity.signingKey, pins, alert },
    server: server.server,
    service,
    store,
    node,
    signals,
    clock,
    random,
    alerts,
    log: logger,
    strangers,
    seal,
    limits: { streamBlockMs: config.parkAfterMs, ...(!isSingleNode && { leaveMs: OTHER_NODE_MS }) },
    isAcquirerSilent: () => watched.some(({ isSilent }) => isSilent),
  });
  closers.push(() => bridge.close());
  startBridgeWork(background, { store, node, service, seal, clock, log: logger, bridge });
  return bridge;
}
