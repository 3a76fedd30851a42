import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { type RawData, WebSocket } from 'ws';
import type { BridgeLimits } from './bridge-limits.js';
import type { BridgeSocket, BridgeSocketListener } from './bridge-socket.js';

/** What a socket needs. */
export interface WebsocketBridgeSocketOptions {
  readonly webSocket: WebSocket;
  readonly peer: string;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly limits: Pick<BridgeLimits, 'closeTimeoutMs'>;
}

/** Normal closure (RFC 6455 §7.4.1): the Goodbye before it names the reason. */
const NORMAL_CLOSURE = 1000;

/** The gateway's end of a WebSocket. */
export class WebsocketBridgeSocket implements BridgeSocket {
  readonly peer: string;
  readonly #options: WebsocketBridgeSocketOptions;
  #cut: Timer | undefined;

  constructor(options: WebsocketBridgeSocketOptions) {
    this.peer = options.peer;
    this.#options = options;
  }

  get bufferedBytes(): number {
    return this.#options.webSocket.bufferedAmount;
  }

  listen(listener: BridgeSocketListener): void {
    const { webSocket } = this.#options;
    webSocket.on('message', (data, isBinary) => {
      if (isBinary) listener.onMessage(toBytes(data));
      else listener.onViolation('a text message: the bridge takes binary messages only');
    });
    // 'close' follows a broken frame or a reset.
    webSocket.on('error', () => undefined);
    webSocket.once('close', () => {
      this.#cut?.cancel();
      listener.onClose();
    });
  }

  send(bytes: Uint8Array): void {
    const { webSocket } = this.#options;
    // A failed send is followed by 'close', which tells the session.
    if (webSocket.readyState === WebSocket.OPEN) webSocket.send(bytes, { binary: true }, () => undefined);
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
