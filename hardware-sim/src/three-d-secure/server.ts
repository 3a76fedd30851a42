import { randomBytes } from 'node:crypto';
import { answerInTurn } from '@tillbridge/platform/net/answer-in-turn.js';
import type { ShopperReader } from '@tillbridge/wire/shopper/page-texts.js';
import { acceptedLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { decodeCReq, decodeMethodData } from '@tillbridge/wire/three-d-secure/browser-messages.js';
import { ThreeDSError } from '@tillbridge/wire/three-d-secure/messages/codec.js';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { AccessControlServer, CardholderAnswer } from './access-control-server.js';
import type { DirectoryServer } from './directory-server.js';
import { challengePage, contentPolicy, faultPage, methodPage, type Page } from './pages.js';

/** Largest body: a message with encrypted device information. */
const MAX_BODY_BYTES = 256 * 1024;
/** What bodies of messages are sent as (EMV 3DS section 6.1). */
const MESSAGE_TYPE = 'application/json; charset=utf-8';

/** Paths of the two servers. */
export const PATHS = {
  directory: '/ds',
  results: '/ds/results',
  acs: '/acs',
  method: '/acs/method',
  challenge: '/acs/challenge',
  answer: '/acs/challenge/answer',
} as const;

/** Both servers behind one HTTP server; they speak to each other over HTTP all the same. */
export function buildThreeDSecureServer(
  servers: () => { readonly directory: DirectoryServer; readonly acs: AccessControlServer },
  log: FastifyBaseLogger,
): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // Messages carry card numbers: nothing of a request is logged.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
  });
  answerInTurn(app.server);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, String(body)));
  app.get('/healthz', async () => ({ status: 'ok' }));
  for (const path of [PATHS.directory, PATHS.results])
    app.post(path, async ({ body }, reply) =>
      reply.type(MESSAGE_TYPE).send(await servers().directory.take(String(body ?? ''))),
    );
  app.post(PATHS.acs, async ({ body }, reply) =>
    reply.type(MESSAGE_TYPE).send(await servers().acs.take(String(body ?? ''))),
  );
  const shown = (
    path: string,
    make: (form: URLSearchParams, reader: ShopperReader) => Page | Promise<Page>,
  ) =>
    app.post(path, async ({ body, headers }, reply) => {
      const locale = acceptedLocale(headers['accept-language']);
      const reader = { locale, nonce: randomBytes(16).toString('base64') };
      try {
        return send(reply, await make(new URLSearchParams(String(body ?? '')), reader));
      } catch (error) {
        if (!(error instanceof ThreeDSError)) throw error;
        return send(reply.code(400), faultPage(reader));
      }
    });
  shown(PATHS.method, (form, reader) =>
    methodPage(decodeMethodData(form.get('threeDSMethodData') ?? ''), reader),
  );
  shown(PATHS.challenge, (form, reader) => {
    const creq = decodeCReq(form.get('creq') ?? '');
    return challengePage(
      servers().acs.challenge(creq, form.get('threeDSSessionData') ?? undefined),
      PATHS.answer,
      reader,
    );
  });
  shown(PATHS.answer, async (form, reader) => {
    const view = await servers().acs.answer(form.get('acsTransID') ?? '', answerOf(form));
    return challengePage(view, PATHS.answer, reader);
  });
  return app;
}

function answerOf(form: URLSearchParams): CardholderAnswer {
  return form.get('action') === 'cancel'
    ? { kind: 'cancel' }
    : { kind: 'code', code: form.get('code') ?? '' };
}

function send(reply: FastifyReply, { html, nonce }: Page): FastifyReply {
  return reply
    .headers({
      'content-security-policy': contentPolicy(nonce),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(html);
}
