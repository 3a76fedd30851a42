import { systemCode } from '../system-code.js';

/** Another program uses the port, or this one may not; the message names what changes it. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
}

/**
 * Runs what listens on a port.
 * @param setting the variable or key that changes the port
 * @throws PortInUseError; any other error as it is
 */
export async function listenOn<T>(
  port: number | undefined,
  setting: string,
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const what = code === 'EADDRINUSE' ? 'is in use' : 'may not be used';
    throw new PortInUseError(
      `port ${port} ${what}: stop the program that uses it, or set ${setting} to another port`,
    );
  }
}

/** `host:port` of an address; an IPv6 address stands in brackets. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
