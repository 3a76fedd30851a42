import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ARRIVAL_HEADER } from '@tillbridge/wire/bridge/arrival.js';
import { NO_TLS } from '@tillbridge/wire/bridge/gateway-pins.js';
import { BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import { WebSocketServer } from 'ws';
import { Bridge, type BridgeDeps } from './bridge.js';
import type { BridgeSocket } from './bridge-socket.js';
import { Arrivals } from './limits/arrivals.js';
import { WebsocketBridgeSocket } from './websocket-bridge-socket.js';

/** Default path of the WebSocket. */
export const BRIDGE_PATH = '/bridge';
/** Messages up to this many times the limit get a Goodbye; larger ones end the connection (close code 1009). */
const OVERSIZE_FACTOR = 4;

/** What the endpoint needs: an HTTP server (Fastify's `server`), and what the bridge works with. */
export interface BridgeEndpointOptions extends Omit<BridgeDeps, 'proved'> {
  readonly server: Server;
  /** Default {@link BRIDGE_PATH}. */
  readonly path?: string;
  /** How a connection came; undefined where its transport may carry no money. Absent: all are plain, from where they seem to come. */
  readonly arrivalOf?: (request: IncomingMessage) => BridgeArrival | undefined;
}

/** How a connection came. */
export type BridgeArrival = Pick<BridgeSocket, 'peer' | 'channels'>;

/** The agents' channel of the gateway. `close` refuses new agents and waits for running work; the HTTP server stays open. */
export type BridgeEndpoint = Pick<
  Bridge,
  'connected' | 'acknowledge' | 'endRevoked' | 'sendPolicies' | 'sendCommands' | 'close'
>;

/** Opens the bridge on an HTTP server: WebSocket upgrades of one path, one subprotocol, no compression. */
export function attachBridge(options: BridgeEndpointOptions): BridgeEndpoint {
  const { server, path = BRIDGE_PATH, clock, arrivalOf = plainArrival } = options;
  const bridge: Bridge = new Bridge({ ...options, proved: () => arrivals.proved() });
  const { limits } = bridge;
  const arrivals = new Arrivals(limits, clock);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: OVERSIZE_FACTOR * limits.maxEnvelopeBytes,
    handleProtocols: (offered) => offered.has(BRIDGE_SUBPROTOCOL) && BRIDGE_SUBPROTOCOL,
  });
  const take = ({ request, connection, head, arrival }: Taken): void => {
    const accepted = (then: (socket: BridgeSocket) => void): void =>
      sockets.handleUpgrade(request, connection, head, (webSocket) =>
        then(new WebsocketBridgeSocket({ webSocket, connection, ...arrival, clock, limits })),
      );
    if (!bridge.hasRoomFor(arrival)) {
      refuse(connection, '503 Service Unavailable');
      return;
    }
    const { waitMs, arrived } = bridge.expect(arrival);
    const turnAwayMs = waitMs === 0 ? arrivals.turnAwayMs() : 0;
    if (turnAwayMs > 0) {
      arrived();
      if (!bridge.mayTurnAway()) refuse(connection, '503 Service Unavailable');
      else accepted((socket) => bridge.turnAway(socket, turnAwayMs));
      return;
    }
    arrivals.add(connection, waitMs, () => {
      arrived();
      accepted((socket) => bridge.accept(socket));
    });
  };
  const onUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
    if (pathOf(request) !== path) {
      // Another listener may own the path.
      if (server.listenerCount('upgrade') === 1) refuse(connection, '404 Not Found');
      return;
    }
    const arrival = arrivalOf(request);
    const shown = request.headers[ARRIVAL_HEADER];
    if (!arrival) refuse(connection, '403 Forbidden');
    else if (!offersSubprotocol(request)) refuse(connection, '400 Bad Request');
    else if (typeof shown === 'string' && bridge.isCrowded(arrival.peer)) {
      // Only then: an agent that finds room proves itself by its Hello alone.
      connection.on('error', drop);
      const arrive = (arrivedAs?: string): void => {
        connection.off('error', drop);
        take({ request, connection, head, arrival: { ...arrival, arrivedAs } });
      };
      bridge.agentOf(shown).then(arrive, () => arrive());
    } else take({ request, connection, head, arrival });
  };
  server.on('upgrade', onUpgrade);
  return {
    connected: () => bridge.connected(),
    acknowledge: (agentId, messageId, outcome) => bridge.acknowledge(agentId, messageId, outcome),
    endRevoked: () => bridge.endRevoked(),
    sendPolicies: () => bridge.sendPolicies(),
    sendCommands: () => bridge.sendCommands(),
    async close() {
      server.off('upgrade', onUpgrade);
      arrivals.close();
      await bridge.close();
    },
  };
}

/** A request for a socket, and how it came. */
interface Taken {
  readonly request: IncomingMessage;
  readonly connection: Duplex;
  readonly head: Buffer;
  readonly arrival: BridgeArrival & Pick<BridgeSocket, 'arrivedAs'>;
}

/** A connection that waits has no other listener. */
function drop(this: Duplex): void {
  this.destroy();
}

function plainArrival({ socket }: IncomingMessage): BridgeArrival {
  return { peer: socket.remoteAddress ?? 'unknown', channels: [NO_TLS] };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function offersSubprotocol({ headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-protocol'] ?? '';
  return offered.split(',').some((name) => name.trim() === BRIDGE_SUBPROTOCOL);
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
