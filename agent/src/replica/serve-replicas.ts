import type { AddressInfo } from 'node:net';
import { hostAndPort, listenOn } from '@tillbridge/platform/net/listening.js';
import { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { readToken } from '../access/token.js';
import type { ReplicaConfig } from '../config/replica.js';
import type { AgentLog } from '../log/log.js';
import { createReplicaServer } from './replica-server.js';
import { ReplicaStore } from './replica-store.js';

/** The part of an agent that holds copies for others. */
export interface ReplicaService {
  /** Where replicas call. */
  readonly url: string;
  /** Looks at certificate and key now. */
  checkCertificate(): void;
  close(): Promise<void>;
}

/**
 * Begins to take copies of replicas' journals.
 * @throws TokenError, ConfigError, PortInUseError, or the operating system's error for an address that is not its own
 */
export async function serveReplicas(
  { host, port, folder, tls, peers }: ReplicaConfig,
  log: AgentLog,
): Promise<ReplicaService> {
  const secrets = new Map(peers.map(({ agentId, secretFile }) => [agentId, readToken(secretFile)] as const));
  const copies = new ReplicaStore(folder);
  const certificate = tls && new TlsCertificate('replica.tls', tls);
  const server = createReplicaServer({
    copies,
    peers: secrets,
    log,
    ...(certificate && { tls: certificate.pair }),
  });
  await listenOn(port, 'replica.port', () => server.listen({ host, port }));
  // A server that was built with a certificate is one of TLS.
  certificate?.follow(server.server, { clock: systemClock, log });
  const { address, port: taken } = server.server.address() as AddressInfo;
  const url = `${tls ? 'https' : 'http'}://${hostAndPort(address, taken)}`;
  log.info({ url, peers: peers.map(({ agentId }) => agentId) }, 'copies of replicas are taken');
  return {
    url,
    checkCertificate: () => certificate?.check(),
    close: async () => {
      certificate?.stop();
      await server.close();
      await copies.close();
    },
  };
}
