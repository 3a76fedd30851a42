import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Where the API docs stand. */
const DOCS_PATH = '/docs';

/** Headers of a request that decide what is sent of a file. */
const FILE_HEADERS: ReadonlySet<string> = new Set(['if-none-match', 'if-modified-since', 'range']);

const HIDDEN = { schema: { hide: true } };
const NOT_FOUND = 404;

/** Of the document: ours, and the one at which the viewer looks, whatever it is configured with. */
const DOCUMENT_PATHS = [`${DOCS_PATH}/openapi.json`, `${DOCS_PATH}/json`];

/**
 * `/docs`: the viewer, with all its files from here; `/docs/openapi.json`: the document. The viewer is a server of its own inside this
 * one, which is loaded with the first request for it.
 * @param document the OpenAPI document, asked for once, when it is first sent
 */
export function showApiDocs(server: FastifyInstance, title: string, document: () => object): void {
  let viewer: Promise<FastifyInstance> | undefined;
  const show = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    viewer ??= import('./viewer-server.js').then(({ viewerServer }) => viewerServer(DOCS_PATH, title));
    const asked = Object.fromEntries(Object.entries(headers).filter(([name]) => FILE_HEADERS.has(name)));
    const shown = await (await viewer).inject({ url, headers: asked });
    if (shown.statusCode === NOT_FOUND) return reply.callNotFound();
    return reply.code(shown.statusCode).headers(shown.headers).send(shown.rawPayload);
  };
  let bytes: Buffer | undefined;
  for (const path of DOCUMENT_PATHS)
    server.get(path, HIDDEN, async (_, reply) => {
      bytes ??= Buffer.from(JSON.stringify(document()));
      return reply.type('application/json; charset=utf-8').send(bytes);
    });
  server.get(DOCS_PATH, HIDDEN, show);
  server.get(`${DOCS_PATH}/*`, HIDDEN, show);
  server.addHook('onClose', async () => (await viewer)?.close());
}
