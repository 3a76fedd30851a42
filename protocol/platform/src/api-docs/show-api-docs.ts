import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PublicDocument } from '../documents/public-document.js';
import { sendDocument } from '../documents/send-document.js';

/** Where the API docs stand. */
const DOCS_PATH = '/docs';

/** Paths of the viewer: each file has one name, so the cache has an end. */
const VIEWER_PATH = /^\/docs(?:\/\w[\w.-]*)*\/?$/;
/** Headers of the viewer that go with its files. */
const POLICY_HEADER = 'content-security-policy';

/** Of the document: ours, and the one at which the viewer looks, whatever it is configured with. */
const DOCUMENT_PATHS = [`${DOCS_PATH}/openapi.json`, `${DOCS_PATH}/json`];

const HIDDEN = { schema: { hide: true } };
const OK = 200;
const NOT_FOUND = 404;

/**
 * `/docs`: the viewer, with all its files from here; `/docs/openapi.json`: the document. The viewer is a separate server inside this
 * one, which is loaded with the first request for it, and gets one request for each file.
 * @param document makes the OpenAPI document; called once, when it is first sent
 */
export function showApiDocs(server: FastifyInstance, title: string, document: () => object): void {
  let viewer: Promise<FastifyInstance> | undefined;
  const files = new Map<string, ViewerFile>();
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?', 1);
    if (!VIEWER_PATH.test(path)) return reply.callNotFound();
    let file = files.get(path);
    if (!file) {
      viewer ??= import('./viewer-server.js').then(({ viewerServer }) => viewerServer(DOCS_PATH, title));
      const shown = await (await viewer).inject(path);
      if (shown.statusCode === NOT_FOUND) return reply.callNotFound();
      if (shown.statusCode !== OK)
        return reply.code(shown.statusCode).headers(shown.headers).send(shown.rawPayload);
      file = {
        document: new PublicDocument(String(shown.headers['content-type']), shown.rawPayload),
        policy: String(shown.headers[POLICY_HEADER]),
      };
      files.set(path, file);
    }
    return sendDocument(request, reply, file.document, { [POLICY_HEADER]: file.policy });
  };
  let api: PublicDocument | undefined;
  for (const path of DOCUMENT_PATHS)
    server.get(path, HIDDEN, (request, reply) => {
      api ??= PublicDocument.json(document());
      return sendDocument(request, reply, api);
    });
  server.get(DOCS_PATH, HIDDEN, show);
  server.get(`${DOCS_PATH}/*`, HIDDEN, show);
  server.addHook('onClose', async () => (await viewer)?.close());
}

interface ViewerFile {
  readonly document: PublicDocument;
  readonly policy: string;
}
