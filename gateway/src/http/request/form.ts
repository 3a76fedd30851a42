import {
  FORM_TYPE,
  type ParsedForm,
  parseFormText,
  parseForm as readForm,
} from '@tillbridge/protocol/api/form.js';

import type { FastifyInstance } from 'fastify';
import { invalidParameters, type RequestRefused } from './envelope.js';

export { FORM_TYPE, parseFormText };

/** What a body or a query held, and what is wrong with it: told together with the faults of the parameters. */
export interface Form extends ParsedForm {
  /** How the entity's clients speak; absent: as the specification says. */
  readonly compatibility?: 'legacy';
}

/** Makes the server read form bodies, and nothing else. */
export function takeForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'buffer' },
    async (request: HttpRequest, body: Buffer) => {
      const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = request.headers;
      if (encoding.toLowerCase() !== 'identity')
        throw wrongHeader('Content-Encoding', encoding, NOT_COMPRESSED);
      if (!UTF_8.test(charsetOf(contentType)))
        throw wrongHeader('Content-Type', contentType, 'charset must be UTF-8');
      return parseForm(body);
    },
  );
}

/** Reads a form body; the content type was looked at before. */
export function parseForm(body: Uint8Array): Form {
  return readForm(body);
}

interface HttpRequest {
  readonly headers: {
    readonly 'content-type'?: string | undefined;
    readonly 'content-encoding'?: string | undefined;
  };
}

const NOT_COMPRESSED = 'the body must not be compressed';
/** The name of the encoding, and what clients call it too. */
const UTF_8 = /^utf-?8$/i;

function charsetOf(contentType: string): string {
  return /;\s*charset=\s*"?([^";\s]+)"?/i.exec(contentType)?.[1] ?? 'utf-8';
}

function wrongHeader(name: string, value: string, message: string): RequestRefused {
  return invalidParameters([{ name, value: value.slice(0, 255), message }]);
}
