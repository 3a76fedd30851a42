import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SocketPipe } from '@tillbridge/platform/socket-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { reportPipe, UNIX_PREFIX } from '@tillbridge/wire/seams/report-pipe.js';
import type { StateSlot } from '../state/state-slot.js';
import type { TerminalPlug } from './terminal-plug.js';

/** Longest path of a socket that every system takes: 104 bytes with the final zero on macOS, 108 on Linux (`sun_path`). */
const MAX_SOCKET_PATH_BYTES = 103;

/** The TCP port that a terminal had last, so that its address stays. */
export interface TcpPortState {
  readonly port: number;
}

/** Checks what a state file holds. @throws TypeError */
export function parseTcpPort(json: unknown): TcpPortState {
  const { port } = (json ?? {}) as Partial<TcpPortState>;
  if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new TypeError('port must be an integer from 1 to 65535');
  }
  return { port };
}

/** The differences between the two kinds of socket. */
interface SocketKind {
  readonly transport: 'hid' | 'tcp';
  /** Listens, and gives the path for the agent. */
  readonly listen: (server: Server) => Promise<string>;
  /** Whether a host finds what listening made. */
  readonly isThere: () => boolean;
  /** Removes what listening left behind. */
  readonly tidy: () => void;
}

/** A terminal behind a listening socket. The newest host has the line; an older connection is dropped. */
class SocketPlug implements TerminalPlug {
  readonly transport: 'hid' | 'tcp';
  path: string;
  readonly #kind: SocketKind;
  readonly #onPlug: (line: BytePipe) => void;
  #server: Server | undefined;
  #line: BytePipe | undefined;

  constructor(kind: SocketKind, path: string, onPlug: (line: BytePipe) => void) {
    this.#kind = kind;
    this.transport = kind.transport;
    this.path = path;
    this.#onPlug = onPlug;
  }

  /** False while the socket's file is missing: no host can open it then. */
  get plugged(): boolean {
    return this.#server?.listening === true && this.#kind.isThere();
  }

  async plug(): Promise<void> {
    if (this.#server) {
      if (!this.#server.listening || this.#kind.isThere()) return;
      // A socket without its file cannot get it back: it is made anew.
      await this.unplug();
      return this.plug();
    }
    const server = createServer({ noDelay: true }, (socket) => this.#connected(socket));
    this.#server = server;
    try {
      this.path = await this.#kind.listen(server);
    } catch (error) {
      this.#server = undefined;
      throw error;
    }
  }

  async unplug(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    await this.#line?.close();
    this.#line = undefined;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    this.#kind.tidy();
  }

  #connected(socket: Socket): void {
    void this.#line?.close();
    const stream = new SocketPipe(socket, this.path);
    this.#line = this.transport === 'hid' ? reportPipe(stream) : stream;
    this.#onPlug(this.#line);
  }
}

function listening(
  server: Server,
  options: { path: string } | { host: string; port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The file itself, or where its path is too long for a socket, a name in the temporary folder that follows from it. */
function socketFile(file: string): string {
  if (Buffer.byteLength(file) <= MAX_SOCKET_PATH_BYTES) return file;
  const name = createHash('sha256').update(file).digest('hex').slice(0, 16);
  return join(tmpdir(), `tillbridge-${name}`, 'terminal.hid');
}

/**
 * A simulated HID device: reports, one behind the other, over a Unix socket of this user.
 * @param wanted the socket's file; one whose path is too long for a socket stands in the temporary folder instead
 */
export function hidPlug(wanted: string, onPlug: (line: BytePipe) => void): TerminalPlug {
  const file = socketFile(wanted);
  const path = `${UNIX_PREFIX}${file}`;
  const kind: SocketKind = {
    transport: 'hid',
    async listen(server) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // What a killed process left behind would make the name look taken.
      rmSync(file, { force: true });
      await listening(server, { path: file });
      return path;
    },
    isThere: () => existsSync(file),
    tidy: () => rmSync(file, { force: true }),
  };
  return new SocketPlug(kind, path, onPlug);
}

/** A terminal in the network: on loopback, at the port that it had last. */
export function tcpPlug(slot: StateSlot<TcpPortState>, onPlug: (line: BytePipe) => void): TerminalPlug {
  const host = '127.0.0.1';
  const kind: SocketKind = {
    transport: 'tcp',
    async listen(server) {
      const former = slot.read()?.port ?? 0;
      await listening(server, { host, port: former }).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE' || former === 0) throw error;
        // Another program has the port: the terminal takes a new one, as after a new DHCP lease.
        await listening(server, { host, port: 0 });
      });
      const { port } = server.address() as AddressInfo;
      if (port !== former) slot.write({ port });
      return `${host}:${port}`;
    },
    isThere: () => true,
    tidy: () => undefined,
  };
  return new SocketPlug(kind, `${host}:${slot.read()?.port ?? 0}`, onPlug);
}
