import type { Server } from 'node:http';
import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';
import type { Transport } from '../../kernel/http/transport/redirect.js';
import type { Background } from '../../kernel/workers/background.js';
import type { GatewayIdentity } from '../../security/keys/gateway-identity.js';
import type { WatchedAcquirer } from '../acquirers/watched-acquirer.js';
import { bridgeArrival } from './bridge-arrival.js';
import { COMMAND_LIMITS } from './commands/agent-command.js';
import { attachBridge, type BridgeEndpoint, type BridgeEndpointOptions } from './endpoint.js';
import { RETRY_LIMITS, retryParked } from './retry-parked.js';

/** How soon agents of a node that stops go to another one, in milliseconds. */
const OTHER_NODE_MS = 200;

/** How often the bridge looks for what other processes have changed, in milliseconds: revoked agents, policies of stores. */
const CHANGES_INTERVAL_MS = 1_000;

/** What the bridge of a gateway works with. */
interface OpenBridgeDeps
  extends Omit<BridgeEndpointOptions, 'server' | 'arrivalOf' | 'trust' | 'limits' | 'isAcquirerSilent'> {
  readonly server: Server;
  readonly transport: Transport;
  readonly identity: Pick<GatewayIdentity, 'signingKey'>;
  readonly pins: () => GatewayPins;
  readonly parkAfterMs: number;
  readonly isSingleNode: boolean;
  readonly acquirers: readonly Pick<WatchedAcquirer, 'isSilent'>[];
  readonly onFault: (what: string, error: unknown) => void;
}

/** Attaches the bridge to the server. */
export function openBridge({
  transport,
  identity: { signingKey },
  pins,
  parkAfterMs,
  isSingleNode,
  acquirers,
  onFault,
  ...deps
}: OpenBridgeDeps): BridgeEndpoint {
  return attachBridge({
    ...deps,
    arrivalOf: (request) => bridgeArrival(transport, request, pins().tlsPins),
    trust: {
      signingKey,
      pins,
      alert: (about) =>
        void deps.alerts.raise(about).catch((error: unknown) => onFault('alert not stored', error)),
    },
    limits: { streamBlockMs: parkAfterMs, ...(!isSingleNode && { leaveMs: OTHER_NODE_MS }) },
    isAcquirerSilent: () => acquirers.some(({ isSilent }) => isSilent),
  });
}

/** Begins the work on sessions of agents: each node looks after its own. */
export function startBridgeWork(
  background: Background,
  bridge: BridgeEndpoint,
  deps: Omit<Parameters<typeof retryParked>[0], 'acknowledge'>,
): void {
  background.repeat({
    name: 'retry of parked messages',
    intervalMs: RETRY_LIMITS.intervalMs,
    work: () =>
      retryParked({
        ...deps,
        acknowledge: (agentId, messageId, outcome) => bridge.acknowledge(agentId, messageId, outcome),
      }),
    fault: 'parked messages were not retried',
  });
  background.repeat({
    intervalMs: CHANGES_INTERVAL_MS,
    work: () => bridge.endRevoked(),
    fault: 'revoked agents were not looked for',
  });
  background.repeat({
    intervalMs: CHANGES_INTERVAL_MS,
    work: () => bridge.sendPolicies(),
    fault: 'policies of stores were not looked for',
  });
  background.repeat({
    intervalMs: COMMAND_LIMITS.pollMs,
    work: () => bridge.sendCommands(),
    fault: 'commands to agents were not looked for',
  });
}
