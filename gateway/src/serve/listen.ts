import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '@tillbridge/protocol/platform/config/problems.js';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig, TlsConfig } from '../config/config.js';
import { answerClientError, type ClientErrorDeps } from '../http/request/client-errors.js';
import { redirectServer } from '../http/transport/redirect.js';

/** Another program uses the port; the message names the variable that changes it. Exit code 2. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
}

/** Takes requests from now on. @throws PortInUseError */
export async function listen(
  server: FastifyInstance,
  { host, port }: Pick<GatewayConfig, 'host' | 'port'>,
): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    throw portFault(error, port, 'GATEWAY_PORT');
  }
}

/** Certificate and key of the files. @throws ConfigError when the files cannot be read or do not fit together */
export function readTls({ certificateFile, keyFile }: TlsConfig) {
  try {
    const pair = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError(
      `tls.certificateFile ${certificateFile} and tls.keyFile ${keyFile} cannot be used (${reason}): expected a certificate and its key in PEM`,
    );
  }
}

/** An open port. */
export interface OpenPort {
  readonly port: number;
  /** Cuts what is connected and gives the port back. */
  close(): Promise<void>;
}

/** Opens the port that sends plain HTTP to https, where one is wanted. @throws PortInUseError */
export async function listenForPlain(
  { host }: Pick<GatewayConfig, 'host'>,
  { redirectPort }: TlsConfig,
  publicUrl: string,
  faults: ClientErrorDeps,
): Promise<OpenPort | undefined> {
  if (redirectPort === undefined) return undefined;
  const server = redirectServer(publicUrl);
  server.on('clientError', (error, socket) => answerClientError(faults, error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portFault(error, redirectPort, 'GATEWAY_TLS_REDIRECT_PORT')));
    server.listen(redirectPort, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The error of listening as the operator sees it. */
function portFault(error: unknown, port: number, variable: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const what = code === 'EADDRINUSE' ? 'is in use' : 'may not be used';
  return new PortInUseError(
    `port ${port} ${what}: stop the program that uses it, or set ${variable} to another port`,
  );
}
