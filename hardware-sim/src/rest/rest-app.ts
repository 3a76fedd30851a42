import { hostFault } from '@tillbridge/platform/http/host-check.js';
import { answerMalformed, lacksHost } from '@tillbridge/platform/http/malformed-request.js';
import { answerInTurn } from '@tillbridge/platform/net/answer-in-turn.js';
import { bodyFault, type SchemaError } from '@tillbridge/platform/schema/fault.js';
import { addRules, OWN_SCHEMAS } from '@tillbridge/platform/schema/rule.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import { ControlError, type ControlErrorCode } from '../errors/control-error.js';

/** Largest body of a request. */
const MAX_BODY_BYTES = 64 * 1024;

/** What is wrong with the Host or the Origin of a request. */
const HOST_FAULTS = {
  'bad-request': 'the request names no Host',
  'wrong-host': 'Host is no name of this simulator: use its address, or add the name to hostNames',
  'wrong-origin': 'Origin is another page than the simulator’s own',
} as const;

/** What a server of the simulator is called, and where it logs. */
export interface RestAppDeps {
  /** Its names in addition to its address. */
  readonly hostNames: readonly string[];
  readonly log: FastifyBaseLogger;
}

/** A server of the simulator without routes; errors are `{error: {code, message}}`. */
export function restApp({ hostNames, log }: RestAppDeps): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    // Requests may carry PINs in their bodies: what they did is logged by what it acted on, not line by line.
    logController: new LogController({ disableRequestLogging: true }),
    // Checked below, so that the answer has the form of every error.
    http: { requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, () => ({ body: UNREADABLE })),
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    ajv: {
      customOptions: { ...OWN_SCHEMAS, coerceTypes: false, removeAdditional: false, verbose: true },
      plugins: [addRules],
    },
    frameworkErrors: (_error, _request, reply) => refusePath(reply),
  });
  answerInTurn(app.server);
  allowEmptyBodies(app);
  app.addHook('onRequest', async ({ raw }, reply) => {
    const { localAddress } = raw.socket;
    const fault = lacksHost(raw) ? 'bad-request' : hostFault(raw.headers, { localAddress, hostNames });
    if (fault === undefined) return;
    reply.header('connection', 'close');
    throw new ControlError(fault, HOST_FAULTS[fault]);
  });
  app.setNotFoundHandler(({ method, url }) => {
    throw new ControlError('unknown-path', `there is no ${method} ${url.split('?')[0]}`);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof ControlError)
      return reply.code(error.statusCode).send(body(error.code, error.message));
    const status = error.statusCode ?? 500;
    if (error.validation) {
      const { message } = bodyFault(error.validation as readonly SchemaError[]);
      return reply.code(status).send(body('bad-request', message));
    }
    if (status < 500) return reply.code(status).send(body('bad-request', maskText(error.message)));
    request.log.error({ err: error }, 'request failed');
    return reply
      .code(500)
      .send(body('internal', 'the simulator could not do that; the reason is in its log'));
  });
  return app;
}

/** A path whose percent escapes cannot be decoded has no route. */
function refusePath(reply: FastifyReply): void {
  reply.code(400).send(body('bad-request', 'the path cannot be read'));
}

/** What the HTTP parser cannot read. */
const UNREADABLE = body('bad-request', 'the request cannot be read');

function body(code: ControlErrorCode, message: string) {
  return { error: { code, message } };
}

/** `POST …/remove` and its like need no body; an empty one of type JSON counts as none. */
function allowEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else parse(request, String(text), done);
  });
}
