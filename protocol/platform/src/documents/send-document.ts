import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicDocument } from './public-document.js';

/** How long a client may use a document before it requests it again: it changes only with a release. */
const DOCUMENT_CACHE = 'public, max-age=300';
/** What is given to a connection at once, in bytes: TLS enciphers all of it before the first byte has left. */
const PIECE_BYTES = 65_536;
const NOT_MODIFIED = 304;

/**
 * Answers with a document, encoded as the client takes it, or with 304 where it has it.
 * @param headers in addition to those of the document; `cache-control` is {@link DOCUMENT_CACHE} unless they name it
 */
export async function sendDocument(
  { headers: requested }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  document: PublicDocument,
  headers: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  reply.headers({
    'cache-control': DOCUMENT_CACHE,
    ...headers,
    etag: document.tag,
    vary: 'accept-encoding',
  });
  if (hasIt(requested['if-none-match'], document)) return reply.code(NOT_MODIFIED).send();
  const { bytes, encoding } = await document.encoded(String(requested['accept-encoding'] ?? ''));
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.type(document.type).header('content-length', bytes.length);
  return reply.send(bytes.length > PIECE_BYTES ? Readable.from(piecesOf(bytes)) : bytes);
}

/** Tags are compared weakly (RFC 9110 §13.1.2). */
function hasIt(tags: string | undefined, { tag }: PublicDocument): boolean {
  const opaque = tag.slice('W/'.length);
  return (tags ?? '').split(',').some((each) => ['*', tag, opaque].includes(each.trim()));
}

function* piecesOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
