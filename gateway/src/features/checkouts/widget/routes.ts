import { PublicDocument } from '@tillbridge/platform/documents/public-document.js';
import { sendDocument } from '@tillbridge/platform/documents/send-document.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import type { WidgetBuilds } from './builds.js';
import type { WidgetFiles } from './files.js';
import { type FramePage, framePage, isFramePage } from './pages.js';

/** What the routes of the payment form work with. */
interface WidgetRouteDeps extends HttpDeps {
  /** The builds of the payment form. */
  readonly widget: WidgetBuilds;
}

/** Both forms of the path (docs/checkouts.md). */
const SCRIPT_PATHS = ['/v1/paymentWidgets.js', '/paymentWidgets.js'] as const;
/** Pages in frames, by the build that they belong to. */
const FRAME_PATH = '/widget/:cacheVersion/:page';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
/** The address names its checkout, and the script of a checkout stays the same for as long as that lives. */
const SCRIPT_CACHE = 'public, max-age=1800';
/** The address names the build. */
const FRAME_CACHE = 'public, max-age=86400, immutable';

const PUBLIC = { config: { right: 'public' } } as const;

type ScriptRequest = FastifyRequest<{ Querystring: { checkoutId?: unknown } }>;
type FrameRequest = FastifyRequest<{ Params: { cacheVersion: string; page: string } }>;

/** The payment form: its script for the pages of shops, and the pages in its frames. */
export function widgetRoutes(server: FastifyInstance, deps: WidgetRouteDeps): void {
  const { widget } = deps;
  const scriptOf = perBuild(({ files }) => new PublicDocument(SCRIPT_TYPE, files['paymentWidgets.js']));

  for (const path of SCRIPT_PATHS)
    server.get(path, PUBLIC, async (request: ScriptRequest, reply) => {
      const build = await widget.at(await createdAtMs(deps, request.query.checkoutId));
      return sendDocument(request, reply, scriptOf(build), {
        'cache-control': SCRIPT_CACHE,
        // A tag with `integrity` loads by CORS; any shop may.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
    });

  const pagesOf = perBuild(() => new Map<FramePage, ReturnType<typeof pageOf>>());
  server.get(FRAME_PATH, async (request: FrameRequest, reply) => {
    const { cacheVersion, page } = request.params;
    const build = isFramePage(page) ? await widget.ofVersion(cacheVersion) : undefined;
    if (!build || !isFramePage(page)) throw new RequestRefused('wrong-url');
    const made = pagesOf(build).get(page) ?? pageOf(page, build);
    pagesOf(build).set(page, made);
    return sendDocument(request, reply, made.document, made.headers);
  });
}

/** What is made of a build once, for as long as that is kept. */
function perBuild<T>(make: (build: WidgetFiles) => T): (build: WidgetFiles) => T {
  const made = new WeakMap<WidgetFiles, T>();
  return (build) => {
    const found = made.get(build) ?? make(build);
    made.set(build, found);
    return found;
  };
}

function pageOf(page: FramePage, build: WidgetFiles) {
  const { html, headers } = framePage(page, build);
  const { 'content-type': type = 'text/html', ...others } = headers;
  return { document: new PublicDocument(type, html), headers: { ...others, 'cache-control': FRAME_CACHE } };
}

/** When the checkout was made; now where there is none: the script reports to its page that there is none. */
async function createdAtMs({ store, clock }: WidgetRouteDeps, named: unknown): Promise<number> {
  const [id = ''] = typeof named === 'string' ? named.split('/') : [];
  const row = /^[A-Za-z0-9-]{32,48}$/.test(id) ? await store.get('checkouts', [id]) : undefined;
  return row?.createdAtMs ?? clock.nowMs();
}
