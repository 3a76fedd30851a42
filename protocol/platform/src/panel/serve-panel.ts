import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PublicDocument } from '../documents/public-document.js';
import { sendDocument } from '../documents/send-document.js';

/** Files of a panel that can be installed, which stand at the root. */
const SHELL_FILES = ['manifest.webmanifest', 'icon.svg', 'service-worker.js'] as const;

/** What the page may load: its own script and style sheet, and the routes of the same server. Nothing inline, nothing of another site. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** The worker of a panel that can be installed is registered by a policy of this name alone. */
const INSTALLABLE = [...POLICY, "manifest-src 'self'", "worker-src 'self'", 'trusted-types tillbridge-shell'];

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json; charset=utf-8',
};

/** Scripts and style sheets have names that change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Where a panel stands. */
interface PanelPaths {
  /** Of its page. */
  readonly pages: readonly string[];
  /** Of its script and style sheet, as `buildPanel` wrote it into the page; ends with a slash. */
  readonly files: string;
}

const AT_ROOT: PanelPaths = { pages: ['/'], files: '/panel/' };

/**
 * Serves a panel: its page, its script and its style sheet, and at the root what makes it installable. The files are read with the first request
 * and stay in memory.
 * @param folder what `buildPanel` has written; without it there is no such page
 */
export function servePanel(server: FastifyInstance, folder: URL, paths: PanelPaths = AT_ROOT): void {
  let files: ReadonlyMap<string, PublicDocument> | undefined;
  const send = (request: FastifyRequest, reply: FastifyReply, name: string, caching: string) => {
    files ??= readPanel(folder);
    const file = files.get(name);
    if (!file) return reply.callNotFound();
    const policy = files.has('service-worker.js') ? INSTALLABLE : [...POLICY, "trusted-types 'none'"];
    return sendDocument(request, reply, file, {
      ...HEADERS,
      'content-security-policy': policy.join('; '),
      'cache-control': caching,
    });
  };
  // An OpenAPI document leaves them out.
  const schema: object = { hide: true };
  for (const page of paths.pages)
    server.get(page, { schema }, (request, reply) => send(request, reply, 'index.html', 'no-cache'));
  if (paths === AT_ROOT)
    for (const name of SHELL_FILES)
      server.get(`/${name}`, { schema }, (request, reply) => send(request, reply, name, 'no-cache'));
  server.get<{ Params: { readonly name: string } }>(`${paths.files}:name`, { schema }, (request, reply) =>
    send(request, reply, request.params.name, FOR_EVER),
  );
}

function readPanel(folder: URL): ReadonlyMap<string, PublicDocument> {
  const files = new Map<string, PublicDocument>();
  for (const name of namesIn(folder)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type !== undefined) files.set(name, new PublicDocument(type, readFileSync(new URL(name, folder))));
  }
  return files;
}

/** None where the panel was not built. */
function namesIn(folder: URL): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
