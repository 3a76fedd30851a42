import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** An address at which the files of a folder are, over TLS. */
export interface ReleaseServer {
  readonly url: string;
  close(): void;
}

/** Serves the files of a release to agents that update themselves. */
export async function serveRelease(
  folder: string,
  tls: { readonly certificate: string; readonly key: string },
): Promise<ReleaseServer> {
  const server = createServer({ cert: tls.certificate, key: tls.key }, ({ url = '' }, response) => {
    const file = join(folder, basename(url));
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
