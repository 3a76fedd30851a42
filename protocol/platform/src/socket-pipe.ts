import type { Socket } from 'node:net';
import { called, PortPipe } from '@tillbridge/wire/seams/port-pipe.js';

/** A stream socket as a byte pipe; it owns the socket. */
export class SocketPipe extends PortPipe {
  private readonly socket: Socket;

  constructor(socket: Socket, name: string) {
    super(name);
    this.socket = socket;
    socket.on('data', (chunk) => this.received(Buffer.from(chunk)));
    socket.on('error', (error) => this.end(error.message));
    socket.on('close', () => this.end('closed by the other side'));
    socket.on('end', () => this.end('closed by the other side'));
  }

  protected transmit(bytes: Uint8Array): Promise<void> {
    return called((done) => this.socket.write(bytes, done));
  }

  protected release(): void {
    this.socket.destroy();
  }
}
