// Two commands that are started at once in one checkout must not both install or build: the second one removes what the first one unpacks.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Does some work while no other process does work under the same name; waits for one that does. A local socket is the lock: it is free as
 * soon as its process has ended, however it ended.
 * @param name such as the path of a checkout
 * @param waits called once where another process is waited for
 * @param signal ends the wait; the work is not begun then
 */
export async function oneAtATime(name, work, waits, signal) {
  const address = addressOf(name);
  const server = createServer((waiting) => waiting.on('error', () => undefined).resume());
  const waiting = new Set();
  server.on('connection', (socket) => waiting.add(socket));
  for (let isFirst = true; !(await isTaken(server, address)); isFirst = false) {
    const isThere = await ended(address, isFirst ? waits : () => undefined, signal);
    if (signal.aborted) return undefined;
    // The file of a socket outlives its process, where sockets are files.
    if (!isThere && !isAbstract) rmSync(address, { force: true });
  }
  server.unref();
  try {
    return await work();
  } finally {
    server.close();
    for (const socket of waiting) socket.destroy();
  }
}

const isAbstract = process.platform === 'linux' || process.platform === 'win32';

function addressOf(name) {
  const key = `tillbridge-prepare-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${key}`;
  return isAbstract ? `\0${key}` : join(tmpdir(), `${key}.sock`);
}

async function isTaken(server, address) {
  server.listen(address);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** Waits until the process that has an address ends or frees it. @returns whether there was one */
function ended(address, waits, signal) {
  return new Promise((resolve) => {
    let isThere = false;
    const socket = connect({ path: address, signal }, () => {
      isThere = true;
      waits();
    });
    socket.on('error', () => undefined).resume();
    socket.on('close', () => resolve(isThere));
  });
}
