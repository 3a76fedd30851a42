import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WidgetFiles } from '../../widget/files.js';
import { framePage, isFramePage } from '../../widget/pages.js';
import type { HttpDeps } from '../request/deps.js';
import { RequestRefused } from '../request/envelope.js';

/** Both forms of the path (spec 4, rule 2). */
const SCRIPT_PATHS = ['/v1/paymentWidgets.js', '/paymentWidgets.js'] as const;
/** Pages in frames, by the build that they belong to. */
const FRAME_PATH = '/widget/:cacheVersion/:page';

/** The address names its checkout, and the script of a checkout stays the same for as long as that lives. */
const SCRIPT_CACHE = 'public, max-age=1800';
/** The address names the build. */
const FRAME_CACHE = 'public, max-age=86400, immutable';

const PUBLIC = { config: { right: 'public' } } as const;

type ScriptRequest = FastifyRequest<{ Querystring: { checkoutId?: unknown } }>;
type FrameRequest = FastifyRequest<{ Params: { cacheVersion: string; page: string } }>;

/** The payment form: its script for the pages of shops, and the pages in its frames. */
export function widgetRoutes(server: FastifyInstance, deps: HttpDeps): void {
  const { widget } = deps;
  const compressed = new Map<string, Buffer>();

  for (const path of SCRIPT_PATHS)
    server.get(path, PUBLIC, async (request: ScriptRequest, reply) => {
      const build = await widget.at(await createdAtMs(deps, request.query.checkoutId));
      reply.headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': SCRIPT_CACHE,
        // A tag with `integrity` loads by CORS; any shop may.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        vary: 'accept-encoding',
        etag: `"${build.hash}"`,
      });
      return sendScript(reply, build, takesGzip(request) ? compressed : undefined);
    });

  server.get(FRAME_PATH, async ({ params }: FrameRequest, reply) => {
    const { cacheVersion, page } = params;
    const build = isFramePage(page) ? await widget.ofVersion(cacheVersion) : undefined;
    if (!build || !isFramePage(page)) throw new RequestRefused('wrong-url');
    const { html, headers } = framePage(page, build);
    return reply.headers({ ...headers, 'cache-control': FRAME_CACHE }).send(html);
  });
}

/** When the checkout was made; now where there is none: the script tells its page that there is none. */
async function createdAtMs({ store, clock }: HttpDeps, named: unknown): Promise<number> {
  const [id = ''] = typeof named === 'string' ? named.split('/') : [];
  const row = /^[A-Za-z0-9-]{32,48}$/.test(id) ? await store.get('checkouts', [id]) : undefined;
  return row?.createdAtMs ?? clock.nowMs();
}

function takesGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
}

/** @param compressed bytes by hash that were compressed before; absent: the client takes them as they are */
function sendScript(
  reply: FastifyReply,
  { hash, files }: WidgetFiles,
  compressed: Map<string, Buffer> | undefined,
): FastifyReply {
  const text = files['paymentWidgets.js'];
  if (!compressed) return reply.send(text);
  const bytes = compressed.get(hash) ?? gzipSync(text, { level: 9 });
  compressed.set(hash, bytes);
  return reply.header('content-encoding', 'gzip').send(bytes);
}
