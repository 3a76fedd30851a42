import { connect, type Socket } from 'node:net';

/** Connections that request a public document again and again, and read nothing, or next to nothing. */
export interface FloodLoad {
  readonly url: string;
  readonly path: string;
}

/** Connections of a flood, and requests that each sends at once. */
const WAVES = [
  { connections: 60, requests: 60 },
  { connections: 60, requests: 16 },
  { connections: 4, requests: 1_600 },
] as const;
/** What a slow reader takes at once; every second connection is one. */
const SIP_BYTES = 512;
const SIP_MS = 100;
/** Before a connection that was ended is opened again. */
const AGAIN_MS = 200;

/** Begins a flood; returns how to end it. */
export function flood({ url, path }: FloodLoad): () => void {
  const { hostname, port, host } = new URL(url);
  const get = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = (requests: number, isSlow: boolean): void => {
    if (isOver) return;
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(get.repeat(requests));
    // One that reads nothing does not see its end either.
    const timer = isSlow ? setInterval(() => socket.read(SIP_BYTES), SIP_MS) : undefined;
    socket.once('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
      setTimeout(() => open(requests, isSlow), AGAIN_MS).unref();
    });
  };
  for (const { connections, requests } of WAVES)
    for (let at = 0; at < connections; at += 1) open(requests, at % 2 === 0);
  return () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
}
