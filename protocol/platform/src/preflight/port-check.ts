import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOn, PortInUseError } from '../net/listening.js';
import { fault, type PreflightCheck } from './preflight.js';

/** Looks whether a port is free. @param setting the variable or key that changes it */
export function portCheck(host: string, port: number, setting: string): PreflightCheck {
  return async () => {
    if (port === 0) return undefined;
    try {
      await listenOn(port, setting, () => tryPort(host, port));
      return undefined;
    } catch (error) {
      if (error instanceof PortInUseError) return fault(error.message, error);
      // An address that is not of this machine is refused by the server itself, by its own name.
      return undefined;
    }
  };
}

async function tryPort(host: string, port: number): Promise<void> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
