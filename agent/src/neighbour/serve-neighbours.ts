import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { NeighbourConfig } from '../config/neighbour.js';
import type { AgentLog } from '../log.js';
import { readToken } from '../till/token.js';
import { CopyKeeper } from './copy-keeper.js';
import { createNeighbourServer } from './neighbour-server.js';

/** The part of an agent that holds copies for others. */
export interface NeighbourService {
  /** Where neighbours call. */
  readonly url: string;
  close(): Promise<void>;
}

/** The certificate or its key cannot be read. */
export class NeighbourTlsError extends Error {
  override readonly name = 'NeighbourTlsError';
}

/**
 * Begins to take copies of neighbours' journals.
 * @throws TokenError, NeighbourTlsError, or the operating system's error for a port in use
 */
export async function serveNeighbours(
  { host, port, folder, tls, peers }: NeighbourConfig,
  log: AgentLog,
): Promise<NeighbourService> {
  const secrets = new Map(peers.map(({ agentId, secretFile }) => [agentId, readToken(secretFile)] as const));
  const copies = new CopyKeeper(folder);
  const pair = tls && { cert: readPem(tls.certificateFile), key: readPem(tls.keyFile) };
  const server = createNeighbourServer({ copies, peers: secrets, log, ...(pair && { tls: pair }) });
  await server.listen({ host, port });
  const { address, port: taken } = server.server.address() as AddressInfo;
  const name = address.includes(':') ? `[${address}]` : address;
  const url = `${tls ? 'https' : 'http'}://${name}:${taken}`;
  log.info({ url, peers: peers.map(({ agentId }) => agentId) }, 'copies of neighbours are taken');
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new NeighbourTlsError(`neighbour.tls: ${path} cannot be read (${code})`);
  }
}
