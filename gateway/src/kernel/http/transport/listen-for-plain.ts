import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { listenOn } from '@tillbridge/platform/net/listening.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../limits/http-limits.js';
import { answerClientError, type ClientErrorDeps } from '../request/client-errors.js';
import { redirectServer } from './redirect.js';

/** An open port. */
interface OpenPort {
  readonly port: number;
  /** Cuts what is connected and gives the port back. */
  close(): Promise<void>;
}

/** Opens the port that sends plain HTTP to https, where one is wanted. @throws PortInUseError */
export async function listenForPlain(
  { host, limits }: { readonly host: string; readonly limits: Partial<HttpLimits> },
  { redirectPort }: { readonly redirectPort?: number },
  publicUrl: string,
  faults: Omit<ClientErrorDeps, 'headerBytes'>,
): Promise<OpenPort | undefined> {
  if (redirectPort === undefined) return undefined;
  const all = { ...DEFAULT_HTTP_LIMITS, ...limits };
  const server = redirectServer(publicUrl, all);
  const { headerBytes } = all;
  server.on('clientError', (error, socket) => answerClientError({ ...faults, headerBytes }, error, socket));
  server.listen(redirectPort, host);
  await listenOn(redirectPort, 'GATEWAY_TLS_REDIRECT_PORT', () => once(server, 'listening'));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
