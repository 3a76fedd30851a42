import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FORM_TYPE, type ParsedForm, parseForm, parseFormText } from '../../api/form.js';
import { invalidParameters, type RequestRefused } from './envelope.js';

export { FORM_TYPE };

/** What a body or a query held, and what is wrong with it: answered together with the faults of the parameters. */
export interface Form extends ParsedForm {
  /** The dialect of the entity's clients; absent: that of the specification. */
  readonly compatibility?: 'legacy';
  /** Schemes of the entity's apps, where the form names a return address that is not of the web. */
  readonly appSchemes?: readonly string[];
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

const NO_PARAMETERS: Form = { parameters: [], errors: [] };

declare module 'fastify' {
  interface FastifyRequest {
    /** The query of a URL as it was read last: hooks and routes read it several times. */
    readQuery?: { readonly url: string; readonly form: Form };
  }
}

/** The parameters of the query of a URL. */
export function queryForm(request: FastifyRequest): Form {
  const { url, readQuery } = request;
  const at = url.indexOf('?');
  if (at < 0) return NO_PARAMETERS;
  if (readQuery?.url === url) return readQuery.form;
  const form = parseFormText(url.slice(at + 1));
  request.readQuery = { url, form };
  return form;
}

/** The parameters of a request as it was sent: in the body of a POST, else in the query. */
export function formOf(request: FastifyRequest): Form {
  return request.method === 'POST'
    ? ((request.body as Form | undefined) ?? NO_PARAMETERS)
    : queryForm(request);
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
