import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { systemCode } from '../../system-code.js';

/** Below every port that a system gives by itself, to a server that requests any port or to a connection. */
const FIRST_PORT = 10_000;
const LAST_PORT = 30_000;
/** Of loopback, too, where nothing else listens: who listens here has reserved the port. macOS does not have it. */
const RESERVATIONS = '127.0.0.2';

/**
 * A port of 127.0.0.1 that no other test gets, in this run or another, until this process ends: for a server that is to listen at the same
 * port again, or later. A port that the system gave for 0 may belong to another test as soon as its server has ended.
 */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (!(await reserve(port))) continue;
    const probe = await listen('127.0.0.1', port).catch(() => undefined);
    if (probe === undefined) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

async function reserve(port: number): Promise<boolean> {
  try {
    (await listen(RESERVATIONS, port)).unref();
    return true;
  } catch (error) {
    return systemCode(error) === 'EADDRNOTAVAIL';
  }
}

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}
