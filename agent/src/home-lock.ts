import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Another process works on this home. */
export class HomeLockedError extends Error {
  override readonly name = 'HomeLockedError';
}

/** The lock of a home; it also ends with the process, however that ends. */
export interface HomeLock {
  release(): Promise<void>;
}

/**
 * Takes the home for this process alone: two agents on one journal would sell one reference twice (P2).
 * The lock is a listening socket and not a file with a process id: the system frees it even after `kill -9`, and a
 * process id that was given to somebody else cannot be mistaken for an agent.
 * @throws HomeLockedError when another process has it
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const path = lockPath(home);
  const server = (await tryListen(path)) ?? (await replaceLeftOver(path));
  if (!server)
    throw new HomeLockedError(`home ${home} is in use by another agent: stop it, or set AGENT_HOME`);
  server.unref();
  return {
    release: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** The socket of a home, by whatever path the home is named. A socket's own path must be short: it cannot stand in the home. */
export function lockPath(home: string): string {
  const name = `tillbridge-agent-${createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  // Linux has names without a file: nothing is left over after a kill.
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/** A server on the path, or undefined when the path is taken. */
async function tryListen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.listen(path);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** A socket file that nobody listens on was left by a process that was killed. */
async function replaceLeftOver(path: string): Promise<Server | undefined> {
  if (path.startsWith('\0') || path.startsWith('\\') || (await somebodyListens(path))) return undefined;
  rmSync(path, { force: true });
  return tryListen(path);
}

async function somebodyListens(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
