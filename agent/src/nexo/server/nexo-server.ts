import type { Socket } from 'node:net';
import { answerMalformed } from '@tillbridge/platform/http/malformed-request.js';
import type { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { answerInTurn } from '@tillbridge/platform/net/answer-in-turn.js';
import { limitConnections } from '@tillbridge/platform/net/limit-connections.js';
import { peerName } from '@tillbridge/platform/net/peers.js';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { NEXO_RULES } from '../../errors/error-table.js';
import type { LimitedLog } from '../../log/limited-log.js';
import { EVERY_TILL } from '../keys/caller.js';
import type { KeyRing } from '../keys/key-ring.js';
import { REQUEST_NAME, sentMessage } from '../messages/message.js';
import { isSecured, type MessageCipher } from '../messages/message-cipher.js';
import { NexoError, type NexoRule } from '../messages/nexo-error.js';
import type { ErrorCondition } from '../messages/response.js';
import type { NexoAnswer, NexoService } from '../service/nexo-service.js';
import { refusePlain } from './plain-messages.js';

/** What the server works with. */
interface NexoServerDeps {
  readonly service: Pick<NexoService, 'answer'>;
  readonly keys: Pick<KeyRing, 'open'>;
  readonly tls: TlsPair;
  /** Messages that are not enciphered are taken from this machine. */
  readonly plain: boolean;
  readonly log: Pick<LimitedLog, 'error'>;
  /** Logs what strangers do. */
  readonly strangers: Pick<StrangerLog, 'take'>;
}

/** Limits of what tills, and strangers, may take. */
export const NEXO_LIMITS = {
  maxBodyBytes: 64 * 1_024,
  /** How long a till may take to send its request, and for a TLS handshake, in milliseconds. */
  requestTimeoutMs: 10_000,
  timeoutCheckMs: 2_000,
  connections: 256,
  /** Of one address. */
  connectionsPerPeer: 64,
} as const;

const PATHS = ['/nexo', '/nexo/'];

/** The HTTPS server for tills that speak nexo, ready to listen. */
export function createNexoServer(deps: NexoServerDeps): FastifyInstance {
  const { requestTimeoutMs } = NEXO_LIMITS;
  const server = fastify({
    https: {
      ...deps.tls,
      minVersion: MIN_TLS_VERSION,
      handshakeTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: NEXO_LIMITS.timeoutCheckMs,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) =>
      answerMalformed(error, socket, (status) => {
        refused(deps, socket, { status, code: 'unreadable' });
        return { body: errorBody(status, 'unreadable', UNREADABLE) };
      }),
    bodyLimit: NEXO_LIMITS.maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
  }) as unknown as FastifyInstance;
  limitConnections(server.server, NEXO_LIMITS);
  answerInTurn(server.server);
  // Tills name their content in many ways.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.setNotFoundHandler(({ raw }, reply) => {
    refused(deps, raw.socket, { status: 404, code: 'not-found' });
    return reply.code(404).send(errorBody(404, 'not-found', 'tills post to /nexo/'));
  });
  server.setErrorHandler((error, { raw }, reply) => answerFault(error, reply, raw.socket, deps));
  for (const path of PATHS) server.post(path, (request, reply) => answer(deps, request, reply));
  return server;
}

async function answer(deps: NexoServerDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { service, keys, plain } = deps;
  const message = sentMessage(parsed(request.body));
  const opened = isSecured(message) ? keys.open(message) : undefined;
  if (!opened) refusePlain(plain, request.raw);
  const answered = await service.answer(opened?.message ?? message, opened?.caller ?? EVERY_TILL);
  // An empty body, as an Abort has it.
  if (!answered) return reply.code(200).send();
  return opened ? sealed(opened.cipher, answered) : answered.message;
}

function sealed(cipher: MessageCipher, { header, message }: NexoAnswer): object {
  const [name = REQUEST_NAME] = Object.keys(message);
  return { [name]: cipher.seal(header, message) };
}

/** @throws NexoError `bad-envelope` that states where the text stops to be JSON, and nothing of what stands there */
function parsed(body: unknown): unknown {
  const text = String(body);
  if (text.trim() === '') throw new NexoError('bad-envelope', 'the body is empty; send a JSON object');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NexoError('bad-envelope', `the body is no JSON: ${placeOf(error)}`);
  }
}

/** Where a text stops to be JSON; what stands there may be a secret. */
function placeOf(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const at = /at position (\d+)/.exec(text)?.[1];
  if (at !== undefined) return `it is wrong at character ${at}`;
  return /end of JSON/.test(text) ? 'it ends too early' : 'it has another character where a value must begin';
}

const UNREADABLE = 'the request cannot be read';

/** A client whose message cannot be deciphered is a stranger. */
function refused(
  { strangers }: NexoServerDeps,
  { remoteAddress }: { readonly remoteAddress?: string | undefined },
  about: {
    readonly status: number;
    readonly code: string;
    readonly reason?: string;
    readonly advice?: string;
  },
): void {
  const act = { kind: `nexo ${about.status} ${about.code}`, peer: peerName(remoteAddress) };
  strangers.take(act, about, 'a message of a till cannot be opened');
}

function answerFault(
  error: unknown,
  reply: FastifyReply,
  socket: Socket,
  deps: NexoServerDeps,
): FastifyReply {
  if (error instanceof NexoError) {
    const [, advice, status = 400] = NEXO_RULES[error.code] as readonly [string, string, number?];
    refused(deps, socket, { status, code: error.code, reason: error.message, advice });
    return reply.code(status).send(errorBody(status, error.code, error.message));
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status < 500) {
    refused(deps, socket, { status, code: 'unreadable' });
    return reply.code(status).send(errorBody(status, 'unreadable', UNREADABLE));
  }
  deps.log.error({ err: error }, 'a request of a till failed');
  return reply
    .code(500)
    .send(errorBody(500, 'internal', 'unforeseen fault of the agent; its log has the details'));
}

/** As the clients of this family read errors; a message of another form has the error condition of the protocol, too. */
function errorBody(
  status: number,
  errorCode: NexoRule | 'unreadable' | 'not-found' | 'internal',
  message: string,
) {
  const errorCondition: ErrorCondition | undefined =
    errorCode === 'bad-envelope' ? 'MessageFormat' : undefined;
  const errorType = status === 500 ? 'internal' : 'security';
  return { status, errorCode, message, errorType, ...(errorCondition && { errorCondition }) };
}
