import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the page may load: its own script and style sheet, and the routes of its own server. Nothing inline, nothing of another site. */
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
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Scripts and style sheets have names that change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

interface PanelFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

/**
 * Serves a panel: its page at `/`, its script and style sheet below `/panel/`. The files are read with the first request and stay in memory.
 * @param folder what `buildPanel` has written; without it there is no such page
 */
export function servePanel(server: FastifyInstance, folder: URL): void {
  let files: ReadonlyMap<string, PanelFile> | undefined;
  const send = (request: FastifyRequest, reply: FastifyReply, name: string, caching: string) => {
    files ??= readPanel(folder);
    const file = files.get(name);
    if (!file) return reply.callNotFound();
    const compressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    return (
      reply
        .headers({ ...HEADERS, 'cache-control': caching, vary: 'accept-encoding' })
        .headers(compressed ? { 'content-encoding': 'gzip' } : {})
        .type(file.type)
        // Sent as it is: the serializer is for JSON alone.
        .serializer((body: unknown) => body as string)
        .send(compressed ? file.compressed : file.plain)
    );
  };
  const schema = { hide: true };
  server.get('/', { schema }, (request, reply) => send(request, reply, 'index.html', 'no-cache'));
  server.get<{ Params: { readonly name: string } }>('/panel/:name', { schema }, (request, reply) =>
    send(request, reply, request.params.name, FOR_EVER),
  );
}

function readPanel(folder: URL): ReadonlyMap<string, PanelFile> {
  const files = new Map<string, PanelFile>();
  for (const name of namesIn(folder)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) continue;
    const plain = readFileSync(new URL(name, folder));
    files.set(name, { type, plain, compressed: gzipSync(plain, { level: 9 }) });
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
