import type { Socket } from 'node:net';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import { PipeListeners } from './pipe-listeners.js';

/** A stream socket as a byte pipe; it owns the socket. */
export class SocketPipe implements BytePipe {
  readonly name: string;
  private readonly socket: Socket;
  private readonly listeners: PipeListeners;

  constructor(socket: Socket, name: string) {
    this.socket = socket;
    this.name = name;
    this.listeners = new PipeListeners(name);
    socket.on('data', (chunk) => this.listeners.data(Buffer.from(chunk)));
    socket.on('error', (error) => this.end(error.message));
    socket.on('close', () => this.end('closed by the other side'));
    socket.on('end', () => this.end('closed by the other side'));
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.listeners.closedReason !== undefined) {
        reject(this.listeners.closedError());
        return;
      }
      this.socket.write(bytes, (error) => {
        if (!error) {
          resolve();
          return;
        }
        this.end(error.message);
        reject(this.listeners.closedError(error.message));
      });
    });
  }

  onData(listener: (bytes: Uint8Array) => void): () => void {
    return this.listeners.onData(listener);
  }

  onClose(listener: (reason: string) => void): () => void {
    return this.listeners.onClose(listener);
  }

  async close(): Promise<void> {
    this.end('closed by this side');
  }

  private end(reason: string): void {
    if (this.listeners.end(reason)) this.socket.destroy();
  }
}
