import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that is cut once. */
interface CuttingProxy {
  readonly url: string;
  /** Cuts at what is sent next with the word, or after some more of these. */
  arm(times?: number): void;
  isSprung(): boolean;
  close(): Promise<void>;
}

/** A way to a server on which nothing arrives any more once it is silenced, without a closed connection. */
export async function silentProxy(
  url: string,
): Promise<{ readonly url: string; silence(): void; close(): Promise<void> }> {
  const ends: Socket[] = [];
  const { hostname, port } = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    ends.push(client, server);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.pipe(server).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = new URL(url);
  own.port = String((proxy.address() as AddressInfo).port);
  return {
    url: own.href,
    silence: () => {
      for (const end of ends) end.unpipe().pause();
    },
    close: async () => {
      for (const end of ends) end.destroy();
      proxy.close();
    },
  };
}

/** Opens a way to the server of a URL that is cut at a statement with a word: before it is passed on, or before it is answered. */
export async function cuttingProxy(url: string, word: string, passesOn: boolean): Promise<CuttingProxy> {
  let left = Number.POSITIVE_INFINITY;
  const { hostname, port } = new URL(url);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    server.on('data', (bytes) => client.write(bytes)).on('close', () => client.destroy());
    client.on('close', () => server.end());
    client.on('data', (bytes) => {
      if (bytes.includes(word)) left -= 1;
      const cuts = left === 0;
      if (cuts) left = -1;
      if (!cuts || passesOn) server.write(bytes);
      if (cuts) client.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = new URL(url);
  own.port = String((proxy.address() as AddressInfo).port);
  return {
    url: own.href,
    arm: (times = 1) => {
      left = times;
    },
    isSprung: () => left < 0,
    close: async () => {
      proxy.close();
    },
  };
}
