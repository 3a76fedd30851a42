import { hostFault } from '@tillbridge/platform/http/host-check.js';
import { answerMalformed, lacksHost } from '@tillbridge/platform/http/malformed-request.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { answerInTurn } from '@tillbridge/platform/net/answer-in-turn.js';
import { answerAfterRest, type DiscardLimits } from '@tillbridge/platform/net/discard-rest.js';
import { limitConnections } from '@tillbridge/platform/net/limit-connections.js';
import { peerName } from '@tillbridge/platform/net/peers.js';
import type { StrangerLimits } from '@tillbridge/platform/net/strangers.js';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { servePanel } from '@tillbridge/platform/panel/serve-panel.js';
import { addRules, OWN_SCHEMAS } from '@tillbridge/platform/schema/rule.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Registry } from 'prom-client';
import { crossOriginHeaders, isPreflight, preflightHeaders } from '../access/cross-origin.js';
import { SignInCodes } from '../access/sign-in-codes.js';
import { StreamTokens } from '../access/stream-tokens.js';
import type { TillRegistry } from '../access/till-registry.js';
import { TillSessions } from '../access/till-sessions.js';
import { tokenCheck, tokenDigest } from '../access/token.js';
import { CustomerDisplays } from '../display/customer-displays.js';
import type { HistoryView } from '../history/store-history.js';
import { VERSION } from '../home/version.js';
import { LimitedLog } from '../log/limited-log.js';
import type { AgentLog } from '../log/log.js';
import { DEFAULT_STORE } from '../sale/receipts/store.js';
import { admitTillStrangers } from './admit-strangers.js';
import { NAMED_ANSWERS } from './answers.js';
import { TILL_LIMITS } from './bodies.js';
import { dayCloseRoutes } from './day-close-routes.js';
import { DISPLAY_PAGE, displayRoutes } from './display-routes.js';
import { docsRoutes } from './docs-routes.js';
import { eventRoutes } from './event-routes.js';
import { historyRoutes } from './history-routes.js';
import { metricsRoutes } from './metrics-routes.js';
import { receiptRoutes } from './receipt-routes.js';
import { RequestFaults } from './request-faults.js';
import { saleRoutes } from './sale-routes.js';
import { credentialsOf, type SessionDeps, sessionRoutes } from './session-routes.js';
import { callerRoute, signIn } from './sign-in.js';
import { type StatusDeps, statusRoutes } from './status-routes.js';
import { errorAnswer, malformedBody, TillError } from './till-error.js';
import { tillRoutes } from './till-routes.js';
import { totalsRoutes } from './totals-routes.js';

/** Statuses of a request without a token, with one that is not known, or with one that may not do this. */
const REFUSED_TOKEN: ReadonlySet<number> = new Set([401, 403]);

/** What the tills' server works with. */
interface TillServerDeps extends StatusDeps {
  /** Bearer token of the store: it may do everything. */
  readonly token: string;
  /** The tills with their own tokens; absent: there are none. */
  readonly tills?: TillRegistry;
  /** The file of browsers that stay signed in; absent: they are only in memory. */
  readonly sessionsPath?: string;
  /** Origins of other sites whose pages may call. */
  readonly origins?: readonly string[];
  /** Names of the agent in addition to `localhost` and its address. */
  readonly hostNames?: readonly string[];
  /** Other limits than {@link CONNECTION_LIMITS}. */
  readonly limits?: Partial<typeof CONNECTION_LIMITS>;
  /** Other limits than `STRANGER_LIMITS`. */
  readonly strangers?: Partial<StrangerLimits>;
  /** Certificate and key; absent: plain HTTP. */
  readonly tls?: TlsPair;
  readonly clock: Clock;
  readonly log: AgentLog;
  /** How link and exposure were; absent: not recorded. */
  readonly history?: () => HistoryView;
  /** The agent's numbers; absent: none are shown. */
  readonly metrics?: Registry;
}

/** What is wrong with the Host or the Origin of a request. */
const HOST_FAULTS = {
  'bad-request': 'the request names no Host',
  'wrong-host': 'Host is no name of this agent: use its address, or add the name to hostNames',
  'wrong-origin': 'Origin is another page than the agent’s own: add it to tillOrigins to let its pages call',
} as const;

/** Limits of what tills, and strangers without the token, may take. */
export const CONNECTION_LIMITS = {
  /** How long a till may take to send its request, and for a TLS handshake, in milliseconds. */
  requestTimeoutMs: 10_000,
  /** How often connections are looked at for requests that take too long, in milliseconds. */
  timeoutCheckMs: 2_000,
  /** Connections of tills, panels and event listeners at once. */
  connections: 512,
  /** Of one address. */
  connectionsPerPeer: 128,
};
/** What is read and dropped of a body that is too long. Only tills get so far: a stranger is refused before the body. */
const DISCARDED: DiscardLimits = { bytes: 8_388_608, ms: 5_000 };
/** A reference of 64 characters, each percent-encoded. */
const MAX_PARAM_LENGTH = TILL_LIMITS.maxReferenceLength * 3;

/** The panel of the store, as it was bundled. */
const PANEL_FOLDER = new URL('dist/panel/', packageFolder(import.meta.url));

/** The page of customer displays, as it was bundled. */
const DISPLAY_FOLDER = new URL('dist/display-page/', packageFolder(import.meta.url));

const HEALTH_SCHEMA = {
  tags: ['operation'],
  summary: 'Is the agent there?',
  security: [],
  response: {
    200: {
      description: 'It is.',
      type: 'object',
      required: ['status'],
      properties: { status: { enum: ['ok'] } },
    },
  },
};

/** The HTTP server for tills, ready to listen. */
export function createTillServer(deps: TillServerDeps): FastifyInstance {
  const limits = { ...CONNECTION_LIMITS, ...deps.limits };
  const { store = DEFAULT_STORE } = deps;
  const logs = {
    strangers: new StrangerLog({ log: deps.log, clock: deps.clock }),
    tills: new LimitedLog(deps.log, deps.clock),
  };
  const server = bareServer(deps.tls, limits, logs.strangers);
  server.addHook('onClose', async () => {
    logs.strangers.close();
    logs.tills.close();
  });
  limitConnections(server.server, limits);
  answerInTurn(server.server);
  acceptEmptyBodies(server);
  checkHosts(server, deps);
  const { clock, log, metrics } = deps;
  const faults = new RequestFaults({ clock, log, metrics, random: systemRandom });
  const admitStranger = admitTillStrangers(server, deps.clock, deps.strangers);
  server.setErrorHandler((error, request, reply) => {
    const { status, body } = errorAnswer(error);
    const about = { method: request.method, route: request.routeOptions.url };
    if (status !== 500) {
      logRefusal(logs, request, { ...about, status, code: body.error.code });
      return reply.code(status).send(body);
    }
    // The text of the answer is for people: they name the id, and its log has the cause.
    const correlationId = faults.record(error, about);
    return reply.code(status).send({ error: { ...body.error, correlationId } });
  });
  server.setNotFoundHandler(() => {
    throw new TillError('not-found', 'no such call');
  });
  closeConnectionsAtTheEnd(server);
  letLongBodiesEnd(server);
  // Answers are described, and sent as they are.
  server.setSerializerCompiler(() => JSON.stringify);
  for (const answer of NAMED_ANSWERS) server.addSchema(answer);
  docsRoutes(server, VERSION);
  server.register(async (open) => {
    open.get('/healthz', { schema: HEALTH_SCHEMA }, async () => ({ status: 'ok' }));
    servePanel(open, PANEL_FOLDER);
    servePanel(open, DISPLAY_FOLDER, { pages: [DISPLAY_PAGE], files: `${DISPLAY_PAGE}/` });
    if (deps.metrics) metricsRoutes(open, deps.metrics, tokenCheck(deps.token));
  });
  const streamTokens = new StreamTokens(deps.clock, systemRandom);
  const codes = new SignInCodes(deps.clock, systemRandom);
  const session: SessionDeps = {
    sessions: sessionsOf(deps),
    ...{ codes, tills: deps.tills, admitStranger, isSecure: deps.tls !== undefined, log: deps.log },
    check: tokenCheck(deps.token, deps.tills),
  };
  server.register(async (open) => sessionRoutes(open, session));
  const displays = new CustomerDisplays(deps.service, deps.clock);
  server.addHook('onClose', async () => displays.close());
  server.register(async (guarded) => {
    signIn(guarded, (request) => credentialsOf(session, request), streamTokens, admitStranger);
    callerRoute(guarded);
    saleRoutes(guarded, { ...deps, store });
    statusRoutes(guarded, { ...deps, store, requestFaults: () => faults.view() });
    receiptRoutes(guarded, { ...deps, store });
    totalsRoutes(guarded, { ...deps, store });
    dayCloseRoutes(guarded, { ...deps, store });
    eventRoutes(guarded, { ...deps, streamTokens, displays });
    displayRoutes(guarded, { ...deps, store, displays, codes });
    if (deps.history) historyRoutes(guarded, deps.history);
    if (deps.tills) tillRoutes(guarded, deps.tills, { ...deps, codes });
  });
  return server;
}

function sessionsOf({ sessionsPath: path, token, tills, clock }: TillServerDeps): TillSessions {
  return new TillSessions({
    ...(path !== undefined && { path }),
    ...{ clock, random: systemRandom },
    credential: (till) => (till === undefined ? tokenDigest(token) : tills?.credential(till)),
    hasPin: (till) => tills?.hasPin(till) ?? false,
    isPin: (till, pin) => tills?.isPin(till, pin) ?? false,
  });
}

/** A server with our limits and no route. */
function bareServer(
  pair: TlsPair | undefined,
  { requestTimeoutMs, timeoutCheckMs }: typeof CONNECTION_LIMITS,
  strangers: StrangerLog,
): FastifyInstance {
  const http = {
    // Checked below, for an answer of ours.
    requireHostHeader: false,
    // Of two timeouts Node takes the longer for the whole request: they must not differ.
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
  };
  const tls = { handshakeTimeout: requestTimeoutMs, minVersion: MIN_TLS_VERSION } as const;
  return fastify({
    ...(pair ? { https: { ...http, ...tls, ...pair } } : { http }),
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, (status) => {
        strangers.take(
          { kind: `${status} unreadable`, peer: peerName(socket.remoteAddress) },
          { status, fault: error.code },
          'request that cannot be read',
        );
        return { body: malformedBody(status) };
      }),
    bodyLimit: TILL_LIMITS.maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // Connections that wait for a sale are answered before they are closed; idle ones are not waited for.
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    ajv: {
      customOptions: {
        ...OWN_SCHEMAS,
        coerceTypes: false,
        removeAdditional: false,
        verbose: true,
        allErrors: true,
      },
      plugins: [addRules],
    },
    // A path that cannot be decoded has no route, and its text may quote what it names.
    frameworkErrors: (error, _request, reply) => sendError(reply, error),
  }) as unknown as FastifyInstance;
}

/** Refuses hosts and origins that are not the agent's; answers what the pages of configured origins ask beforehand. */
function checkHosts(
  server: FastifyInstance,
  { hostNames = [], origins = [] }: Pick<TillServerDeps, 'hostNames' | 'origins'>,
): void {
  server.addHook('onRequest', async ({ raw }, reply) => {
    const { localAddress } = raw.socket;
    const own = { localAddress, hostNames, origins };
    const fault = lacksHost(raw) ? 'bad-request' : hostFault(raw.headers, own);
    const { origin } = raw.headers;
    const other = origin !== undefined && own.origins.includes(origin) ? origin : undefined;
    if (fault === undefined && other !== undefined && isPreflight(raw.method ?? '', raw.headers))
      return reply.code(204).headers(preflightHeaders(other, raw.headers)).send();
    if (fault === undefined && other !== undefined) reply.headers(crossOriginHeaders(other));
    if (fault === undefined) return;
    reply.header('connection', 'close');
    throw new TillError(fault, HOST_FAULTS[fault]);
  });
}

/** A line of a request that was refused; what strangers and tills can cause of them is limited. */
function logRefusal(
  { strangers, tills }: { readonly strangers: StrangerLog; readonly tills: LimitedLog },
  { caller, raw }: FastifyRequest,
  about: { readonly status: number; readonly code: string },
): void {
  const { status, code } = about;
  const text = REFUSED_TOKEN.has(status) ? 'token refused' : 'request refused';
  const peer = peerName(raw.socket.remoteAddress);
  // Routes for everybody have none at all.
  if (!caller) strangers.take({ kind: `${status} ${code}`, peer }, about, text);
  else if (REFUSED_TOKEN.has(status)) tills.warn({ ...about, peer }, text);
}

function sendError(reply: FastifyReply, error: unknown): void {
  const { status, body } = errorAnswer(error);
  reply.code(status).send(body);
}

/** An answer that leaves while the server ends is the last on its connection. */
function closeConnectionsAtTheEnd(server: FastifyInstance): void {
  let ending = false;
  server.addHook('preClose', async () => {
    ending = true;
  });
  server.addHook('onSend', async (_request, reply) => {
    if (ending) reply.header('connection', 'close');
  });
}

/** A till that writes the whole of a body before it reads finds the refusal; a body that is longer still ends the connection. */
function letLongBodiesEnd(server: FastifyInstance): void {
  server.addHook('onSend', async ({ raw }, reply) => {
    if (reply.statusCode !== 413) return;
    reply.removeHeader('connection');
    await answerAfterRest(raw, DISCARDED);
  });
}

/** Many clients name JSON on a POST that has no body. */
function acceptEmptyBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : JSON.parse(String(text)));
    } catch {
      // The parser's own words may quote the body.
      done(new TillError('bad-json', 'the body is not valid JSON'));
    }
  });
}
