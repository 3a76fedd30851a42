import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Listens on a free port on loopback; the connections that it takes are handed over before anything of them is read. */
export async function listenForTcp(
  take: (client: Socket) => void,
): Promise<{ server: Server; port: number }> {
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    client.on('error', () => undefined);
    take(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/**
 * Connects to a port as the client did: from its address, by which the server counts its peers.
 * @throws the error of the system when no process listens
 */
export async function connectAs(client: Socket, port: number): Promise<Socket> {
  const localAddress = client.remoteAddress ?? '127.0.0.1';
  const upstream = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  await once(upstream, 'connect');
  upstream.on('error', () => undefined);
  return upstream;
}

/** Passes bytes on, both ways; when one end is gone the other one is ended. */
export function join(client: Socket, upstream: Socket): void {
  client.on('close', () => upstream.destroy());
  upstream.on('close', (failed) => (failed ? client.resetAndDestroy() : client.destroySoon()));
  client.pipe(upstream);
  upstream.pipe(client);
}

/** A way to a port that can be cut as a firewall does it: what is sent goes nowhere, without an error. */
export class CuttableLink {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #waiting = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** @param port where it leads to */
  static async open(port: number): Promise<CuttableLink> {
    const take = (client: Socket): void => void link.#take(client, port);
    const { server, port: own } = await listenForTcp((client) => take(client));
    const link = new CuttableLink(server, own);
    return link;
  }

  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) for (const end of pair) end.unpipe().pause();
  }

  /** New connections pass again; those that were cut are over, as after a restart of the firewall. */
  heal(): void {
    this.#isCut = false;
    for (const pair of this.#pairs) for (const end of pair) end.resetAndDestroy();
    for (const client of this.#waiting) client.resetAndDestroy();
  }

  close(): void {
    this.#server.close();
    this.heal();
  }

  async #take(client: Socket, port: number): Promise<void> {
    if (this.#isCut) {
      this.#waiting.add(client);
      client.on('close', () => this.#waiting.delete(client));
      return;
    }
    try {
      const upstream = await connectAs(client, port);
      const pair = [client, upstream] as const;
      this.#pairs.add(pair);
      upstream.on('close', () => this.#pairs.delete(pair));
      join(client, upstream);
      if (this.#isCut) this.cut();
    } catch {
      client.resetAndDestroy();
    }
  }
}
