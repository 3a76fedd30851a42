import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Longest command, in characters. */
export const MAX_COMMAND = 4_096;
/** Commands that may wait for the one before them: clients that keep a connection alive send some while a file comes. */
export const MAX_WAITING = 256;

/** What of the server's connection is used here. */
export interface ControlConnection {
  readonly secure: boolean;
  /** With TLS another one than that which was given. */
  readonly commandSocket?: Socket | TLSSocket;
  readonly commands: { handle(command: string): Promise<unknown> };
  reply(code: number, message: string): Promise<unknown>;
}

const NEEDS_TLS: ReadonlySet<string> = new Set(['USER', 'PASS', 'ACCT']);

/**
 * Reads commands off the control connection in the place of the server, which takes whatever came in one packet and knows no limit. A name
 * or password before TLS is refused unread. What follows `AUTH TLS` in clear would be carried out as if it had come enciphered (the
 * STARTTLS injection): a client that sends it is cut off, as is one that sends commands without waiting for answers.
 */
export function readControlLines(socket: Socket, connection: ControlConnection): void {
  socket.removeAllListeners('data');
  let rest = '';
  let work: Promise<unknown> = Promise.resolve();
  let isUpgrading = false;
  let waiting = 0;
  socket.on('data', (data: Buffer) => {
    // TLS takes over the received part of a handshake, by reads that pass here as well.
    if (isInHandshake(connection.commandSocket)) return;
    if (isUpgrading && !connection.secure) {
      socket.destroy();
      return;
    }
    const lines = (rest + data.toString('utf8')).split('\r\n');
    rest = lines.pop() ?? '';
    const isLong = [...lines, rest].some((line) => line.length > MAX_COMMAND);
    waiting += lines.length;
    if (isLong || waiting > MAX_WAITING) {
      socket.destroy();
      return;
    }
    for (const [at, line] of lines.entries()) {
      const directive = line.split(' ', 1)[0]?.toUpperCase() ?? '';
      if (directive === 'AUTH' && !connection.secure) {
        const isLast = at === lines.length - 1 && rest === '';
        if (!isLast) {
          socket.destroy();
          return;
        }
        isUpgrading = true;
        // What a client sends behind the answer is its handshake, which TLS reads, or its next command where AUTH was refused.
        socket.pause();
      }
      const isRefused = NEEDS_TLS.has(directive) && !connection.secure;
      work = work
        .then(() =>
          isRefused
            ? connection.reply(530, 'AUTH TLS comes first')
            : line === '' || connection.commands.handle(line),
        )
        .then(() => {
          waiting -= 1;
          if (directive !== 'AUTH') return;
          isUpgrading = false;
          // Refused, for want of a certificate or another method.
          if (!connection.secure) socket.resume();
        })
        .catch(() => socket.destroy());
    }
  });
}

function isInHandshake(socket: Socket | TLSSocket | undefined): boolean {
  return socket !== undefined && 'getPeerFinished' in socket && socket.getPeerFinished() === undefined;
}
