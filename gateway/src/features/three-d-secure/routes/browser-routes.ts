import { type HtmlPage, postPage } from '@tillbridge/platform/http/post-page.js';
import { pageTexts, type ShopperReader } from '@tillbridge/wire/shopper/page-texts.js';
import { acceptedLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { decodeCRes, decodeMethodNotification } from '@tillbridge/wire/three-d-secure/browser-messages.js';
import { ThreeDSError } from '@tillbridge/wire/three-d-secure/messages/codec.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { RequestRefused } from '../../../kernel/http/request/envelope.js';
import { formOf } from '../../../kernel/http/request/form.js';
import { newId } from '../../../kernel/store/new-id.js';
import type { ThreeDSecureService } from '../service.js';
import { methodPage, notifiedPage } from './pages.js';

/** See other: the browser requests the address with GET, whatever brought it here. */
const SEE_OTHER = 303;
/** Messages of servers are JSON in UTF-8 (EMV 3DS section 6.1). */
const MESSAGE_TYPE = 'application/json; charset=utf-8';

type BrowserRequest = FastifyRequest<{ Params: { transId: string } }>;

/**
 * What the directory server and the cardholder's browser call, without a token: a caller that names a transaction by its unguessable id
 * belongs to it, and a browser learns nothing but where to go. A result counts by the ids of all three servers, of which a browser sees two.
 */
export function threeDSecureBrowserRoutes(
  server: FastifyInstance,
  { random }: Pick<HttpDeps, 'random'>,
  threeDSecure: ThreeDSecureService,
): void {
  server.register(async (scope) => {
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, String(body)),
    );
    scope.post('/three-d-secure/results', async ({ body }, reply) =>
      reply.type(MESSAGE_TYPE).send(await threeDSecure.takeMessage(typeof body === 'string' ? body : '')),
    );
  });

  const readerOf = ({ headers }: BrowserRequest): ShopperReader => ({
    locale: acceptedLocale(headers['accept-language']),
    nonce: newId(random),
  });

  server.get('/three-d-secure/:transId/method', async (request: BrowserRequest, reply) => {
    const { transId } = request.params;
    const call = await threeDSecure.methodCall(transId);
    if (!call) return goTo(reply, await threeDSecure.endMethod(transId));
    return sendPage(
      reply,
      methodPage(call.url, call.data, `/three-d-secure/${transId}/method`, readerOf(request)),
    );
  });
  server.post('/three-d-secure/:transId/method', async ({ params }: BrowserRequest, reply) =>
    goTo(reply, await threeDSecure.endMethod(params.transId)),
  );
  server.post('/three-d-secure/:transId/method-notification', async (request: BrowserRequest, reply) => {
    const { threeDSServerTransID } = read(() =>
      decodeMethodNotification(field(request, 'threeDSMethodData')),
    );
    // A notification of another transaction than the announced one ends none.
    if (threeDSServerTransID.toLowerCase() === request.params.transId.toLowerCase())
      await threeDSecure.methodNotified(threeDSServerTransID);
    return sendPage(reply, notifiedPage(readerOf(request)));
  });

  server.get('/three-d-secure/:transId/challenge', async (request: BrowserRequest, reply) => {
    const { transId } = request.params;
    const redirect = await threeDSecure.challenge(transId);
    if (!redirect) return goTo(reply, await threeDSecure.returned(transId));
    const reader = readerOf(request);
    return sendPage(reply, postPage(redirect, pageTexts(reader.locale.language).goOn, reader));
  });
  server.post('/three-d-secure/:transId/back', async (request: BrowserRequest, reply) => {
    // What the browser brings is no outcome: that came in the result. It is read so that nonsense is refused.
    read(() => decodeCRes(field(request, 'cres')));
    return goTo(reply, await threeDSecure.returned(request.params.transId));
  });
}

/** @throws RequestRefused where nothing of the kind is on its way */
function goTo(reply: FastifyReply, url: string | undefined): FastifyReply {
  if (url === undefined) throw new RequestRefused('wrong-url');
  return reply.redirect(url, SEE_OTHER);
}

function field(request: FastifyRequest, name: string): string {
  return formOf(request).parameters.find(([each]) => each === name)?.[1] ?? '';
}

/** @throws RequestRefused for what cannot be read */
function read<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof ThreeDSError) throw new RequestRefused('wrong-url');
    throw error;
  }
}

function sendPage(reply: FastifyReply, { html, headers }: HtmlPage): FastifyReply {
  return reply.headers(headers).send(html);
}
