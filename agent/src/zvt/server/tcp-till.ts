import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { limitConnections } from '@tillbridge/platform/net/limit-connections.js';
import { LOOPBACK, peerName, peersOf } from '@tillbridge/platform/net/peers.js';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { ApduReader } from '../messages/apdu.js';
import { ZvtError } from '../messages/zvt-error.js';
import { Conversation, type ConversationDeps } from './conversation.js';

/** Limits of what tills, and strangers, may take at one port. */
export const TCP_LIMITS = {
  connections: 16,
  /** Of one address. */
  connectionsPerPeer: 8,
  /** For the rest of a message, for a registration, and for a TLS handshake, milliseconds. */
  messageMs: 10_000,
  registrationMs: 60_000,
} as const;

/** What a port works with. */
interface TcpTillDeps {
  readonly tls?: TlsPair;
  /** Addresses that may connect; of this machine alone where absent. */
  readonly from?: readonly string[];
  readonly clock: Clock;
  conversation(peer: string): Omit<ConversationDeps, 'send' | 'hangUp' | 'clock'>;
  /** A machine connects that may not. */
  unknownPeer(peer: string): void;
}

/** The server of one till, ready to listen. */
export function createTcpTill(deps: TcpTillDeps): Server {
  const peers = deps.from ? peersOf(deps.from) : LOOPBACK;
  const serve = (socket: Socket) => {
    if (peers.has(socket.remoteAddress)) serveSocket(socket, deps);
    else {
      deps.unknownPeer(peerName(socket.remoteAddress));
      socket.destroy();
    }
  };
  const server = deps.tls
    ? createTlsServer(
        { ...deps.tls, minVersion: MIN_TLS_VERSION, handshakeTimeout: TCP_LIMITS.messageMs },
        serve,
      )
    : createTcpServer({ noDelay: true }, serve);
  if (deps.tls) server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy());
  limitConnections(server, TCP_LIMITS);
  return server;
}

function serveSocket(socket: Socket, { clock, conversation }: TcpTillDeps): void {
  const reader = new ApduReader();
  const deps = conversation(peerName(socket.remoteAddress));
  const till = new Conversation({
    ...deps,
    clock,
    send: (bytes) => void socket.write(bytes),
    hangUp: () => socket.destroy(),
  });
  const registration = clock.setTimer(TCP_LIMITS.registrationMs, () => {
    if (!till.isRegistered) socket.destroy();
  });
  let message: Timer | undefined;
  socket.on('data', (bytes) => {
    message?.cancel();
    try {
      for (const apdu of reader.push(bytes)) till.received(apdu);
    } catch (error) {
      if (error instanceof ZvtError) deps.refused(error.code);
      else deps.fault(error);
      socket.destroy();
      return;
    }
    if (reader.pending > 0) message = clock.setTimer(TCP_LIMITS.messageMs, () => socket.destroy());
  });
  // The end of the connection follows.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    message?.cancel();
    registration.cancel();
    till.closed();
  });
}
