import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { systemCode } from '@tillbridge/protocol/errors/system-code.js';
import { hostAndPort, listenOn } from '@tillbridge/protocol/platform/net/listening.js';
import type { ReplicaConfig } from '../config/replica.js';
import type { AgentLog } from '../log/log.js';
import { readToken } from '../till/token.js';
import { createReplicaServer } from './replica-server.js';
import { ReplicaStore } from './replica-store.js';

/** The part of an agent that holds copies for others. */
export interface ReplicaService {
  /** Where replicas call. */
  readonly url: string;
  close(): Promise<void>;
}

/** The certificate or its key cannot be read. */
export class ReplicaTlsError extends Error {
  override readonly name = 'ReplicaTlsError';
}

/**
 * Begins to take copies of replicas' journals.
 * @throws TokenError, ReplicaTlsError, PortInUseError, or the operating system's error for an address that is not its own
 */
export async function serveReplicas(
  { host, port, folder, tls, peers }: ReplicaConfig,
  log: AgentLog,
): Promise<ReplicaService> {
  const secrets = new Map(peers.map(({ agentId, secretFile }) => [agentId, readToken(secretFile)] as const));
  const copies = new ReplicaStore(folder);
  const pair = tls && { cert: readPem(tls.certificateFile), key: readPem(tls.keyFile) };
  const server = createReplicaServer({ copies, peers: secrets, log, ...(pair && { tls: pair }) });
  await listenOn(port, 'replica.port', () => server.listen({ host, port }));
  const { address, port: taken } = server.server.address() as AddressInfo;
  const url = `${tls ? 'https' : 'http'}://${hostAndPort(address, taken)}`;
  log.info({ url, peers: peers.map(({ agentId }) => agentId) }, 'copies of replicas are taken');
  return {
    url,
    close: async () => {
      await server.close();
      await copies.close();
    },
  };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ReplicaTlsError(`replica.tls: ${path} cannot be read (${systemCode(error)})`);
  }
}
