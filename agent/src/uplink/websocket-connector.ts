import type { ConnectionOptions } from 'node:tls';
import { BRIDGE_LIMITS, BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import { type RawData, WebSocket } from 'ws';
import type { BridgeSocket, BridgeSocketListener, ConnectBridge } from './bridge-socket.js';
import { errorDetail } from './error-detail.js';
import { channelOf } from './tls-trust.js';

/** Limits of the socket, by name. */
const SOCKET_LIMITS = {
  /** Bytes that may wait in this process for the network; beyond, a live message is not handed over. */
  maxBufferedBytes: 1024 * 1024,
  /** How long a closing handshake may take before the connection is cut. */
  closeTimeoutMs: 2_000,
} as const;

/**
 * Connects to the bridge at `url` (`wss:`, or `ws:` on loopback) as a WebSocket client.
 * @param tls what is checked of the server; called for each connection; default: what Node checks
 * @param headers of the request that opens the socket
 */
export function websocketConnector(
  url: string,
  tls: () => ConnectionOptions = () => ({}),
  headers: Readonly<Record<string, string>> = {},
): ConnectBridge {
  return (listener) => new WebsocketBridgeSocket(url, tls(), headers, listener);
}

class WebsocketBridgeSocket implements BridgeSocket {
  private readonly socket: WebSocket;
  private readonly listener: BridgeSocketListener;
  private detail = '';
  private ended = false;
  private cut: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    tls: ConnectionOptions,
    headers: Readonly<Record<string, string>>,
    listener: BridgeSocketListener,
  ) {
    this.listener = listener;
    let channel = channelOf(null);
    this.socket = new WebSocket(url, BRIDGE_SUBPROTOCOL, {
      ...tls,
      headers,
      perMessageDeflate: false,
      maxPayload: BRIDGE_LIMITS.maxEnvelopeBytes,
      followRedirects: false,
    });
    this.socket.on('upgrade', (response) => {
      channel = channelOf(response.socket);
    });
    this.socket.on('open', () => this.listener.onOpen(channel));
    this.socket.on('message', (data, isBinary) => this.received(data, isBinary));
    this.socket.on('error', (error) => {
      // 'close' follows every 'error'; the error knows why.
      this.detail ||= errorDetail(error);
    });
    this.socket.on('close', (code, reason) => this.closed(code, reason.toString('utf8')));
  }

  send(bytes: Uint8Array, taken: () => void): boolean {
    const { socket } = this;
    if (this.ended || socket.readyState !== WebSocket.OPEN) return false;
    if (socket.bufferedAmount + bytes.length > SOCKET_LIMITS.maxBufferedBytes) return false;
    socket.send(bytes, { binary: true }, () => taken());
    return true;
  }

  /** A ping frame (RFC 6455 §5.5.2). */
  ping(answered: () => void): boolean {
    const { socket } = this;
    if (this.ended || socket.readyState !== WebSocket.OPEN) return false;
    // One that was never answered is forgotten.
    socket.removeAllListeners('pong');
    socket.once('pong', answered);
    socket.ping(undefined, true);
    return true;
  }

  close(detail: string): void {
    if (this.ended) return;
    this.detail ||= detail;
    if (this.socket.readyState === WebSocket.CONNECTING) {
      this.socket.terminate();
      return;
    }
    this.socket.close(1000);
    this.cut ??= setTimeout(() => this.socket.terminate(), SOCKET_LIMITS.closeTimeoutMs);
  }

  private received(data: RawData, isBinary: boolean): void {
    if (this.ended) return;
    if (!isBinary) this.listener.onViolation('a text message');
    else this.listener.onMessage(toBytes(data));
  }

  private closed(code: number, reason: string): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.cut);
    this.listener.onClose(this.detail || `closed with code ${code}${reason ? `: ${reason}` : ''}`);
  }
}

function toBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
