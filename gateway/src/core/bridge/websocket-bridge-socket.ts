import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { type RawData, WebSocket } from 'ws';
import type { BridgeSocket, BridgeSocketListener } from './bridge-socket.js';
import type { BridgeLimits } from './limits/bridge-limits.js';

/** What a socket needs. */
interface WebsocketBridgeSocketOptions {
  readonly webSocket: WebSocket;
  /** The connection below. */
  readonly connection: Duplex;
  readonly peer: string;
  readonly arrivedAs?: string | undefined;
  readonly channels: readonly string[];
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly limits: Pick<BridgeLimits, 'closeTimeoutMs' | 'maxUnprovenBytes' | 'maxBufferedBytes'>;
}

/** Normal closure (RFC 6455 §7.4.1): the Goodbye before it names the reason. */
const NORMAL_CLOSURE = 1000;

/** The gateway's end of a WebSocket. */
export class WebsocketBridgeSocket implements BridgeSocket {
  readonly peer: string;
  readonly arrivedAs: string | undefined;
  readonly channels: readonly string[];
  readonly #options: WebsocketBridgeSocketOptions;
  #cut: Timer | undefined;
  #resting: Timer | undefined;
  #unprovenBytes = 0;

  constructor(options: WebsocketBridgeSocketOptions) {
    this.peer = options.peer;
    this.arrivedAs = options.arrivedAs;
    this.channels = options.channels;
    this.#options = options;
    // Counted below the WebSocket, which keeps a message in memory until its last byte has come.
    options.connection.on('data', this.#count);
  }

  readonly #count = (bytes: Uint8Array): void => {
    const { connection, webSocket, limits } = this.#options;
    this.#unprovenBytes += bytes.length;
    if (this.#unprovenBytes <= limits.maxUnprovenBytes) return;
    connection.off('data', this.#count);
    webSocket.terminate();
  };

  get bufferedBytes(): number {
    return this.#options.webSocket.bufferedAmount;
  }

  listen(listener: BridgeSocketListener): void {
    const { webSocket } = this.#options;
    webSocket.on('message', (data, isBinary) => {
      if (isBinary) listener.onMessage(toBytes(data));
      else listener.onViolation('a text message: the bridge takes binary messages only');
    });
    // Each ping is answered by a pong, whether or not the other side reads.
    webSocket.on('ping', () => {
      if (this.bufferedBytes > this.#options.limits.maxBufferedBytes) webSocket.terminate();
    });
    // 'close' follows a broken frame or a reset.
    webSocket.on('error', () => undefined);
    webSocket.once('close', () => {
      this.#cut?.cancel();
      this.#resting?.cancel();
      listener.onClose();
    });
  }

  send(bytes: Uint8Array): void {
    const { webSocket } = this.#options;
    // A failed send is followed by 'close', which reaches the session.
    if (webSocket.readyState === WebSocket.OPEN) webSocket.send(bytes, { binary: true }, () => undefined);
  }

  proven(): void {
    this.#options.connection.off('data', this.#count);
  }

  rest(delayMs: number): void {
    const { webSocket, clock } = this.#options;
    this.#resting?.cancel();
    webSocket.pause();
    this.#resting = clock.setTimer(delayMs, () => webSocket.resume());
  }

  close(): void {
    const { webSocket, clock, limits } = this.#options;
    if (webSocket.readyState === WebSocket.CLOSED || this.#cut) return;
    webSocket.close(NORMAL_CLOSURE);
    this.#cut = clock.setTimer(limits.closeTimeoutMs, () => webSocket.terminate());
  }
}

function toBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
