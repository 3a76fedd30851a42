import { createHash } from 'node:crypto';
import { answerInTurn } from '@tillbridge/platform/net/answer-in-turn.js';
import { MIN_TLS_VERSION, type TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { REPLICA_ERRORS } from '../errors/error-table.js';
import { CopyUnavailable } from '../journal/copy/copy-unavailable.js';
import {
  isCopyKind,
  REPLICA_LIMITS,
  readBatch,
  WRITER_HEADER,
  wireEntry,
} from '../journal/copy/copy-wire.js';
import type { AgentLog } from '../log/log.js';
import { type ReplicaStore, WriterReplaced } from './replica-store.js';

/** What the replicas' server works with. */
interface ReplicaServerDeps {
  readonly copies: ReplicaStore;
  /** Secrets by the agent whose copy they open. */
  readonly peers: ReadonlyMap<string, string>;
  /** Certificate and key in PEM; absent: plain HTTP, only for this machine. */
  readonly tls?: TlsPair;
  readonly log: AgentLog;
}

/** Calls under way at once. */
const MAX_CONNECTIONS = 64;

/** Returns the server that stores sealed copies of other agents' journals, ready to listen. */
export function createReplicaServer({ copies, peers, tls, log }: ReplicaServerDeps): FastifyInstance {
  const server = fastify({
    bodyLimit: REPLICA_LIMITS.maxBodyBytes,
    requestTimeout: REPLICA_LIMITS.requestTimeoutMs,
    forceCloseConnections: true,
    ...(tls && { https: { ...tls, minVersion: MIN_TLS_VERSION } }),
  }) as unknown as FastifyInstance;
  server.server.maxConnections = MAX_CONNECTIONS;
  answerInTurn(server.server);
  server.setNotFoundHandler((_request, reply) => refuse(reply, 'not-found', 'no such call'));
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));
  server.register(
    async (routes) => {
      routes.addHook('onRequest', async (request, reply) => {
        const secret = peers.get(agentIdOf(request));
        if (secret === undefined || !isRight(request.headers.authorization, secret))
          return refuse(reply, 'unauthenticated', 'unknown agent, or a wrong secret');
      });
      addRoutes(routes, copies);
    },
    { prefix: '/v1/copies/:agentId' },
  );
  return server;
}

function addRoutes(routes: FastifyInstance, copies: ReplicaStore): void {
  routes.post('/writers', async (request) => {
    const agentId = agentIdOf(request);
    await copies.of(agentId);
    return { writer: copies.newWriter(agentId) };
  });

  routes.get('/entries', async (request, reply) => {
    const { kind, number, name = '', limit, exact } = request.query as Record<string, string | undefined>;
    const at = Number(number);
    const count = Number(limit);
    if (!isCopyKind(kind) || !Number.isSafeInteger(at) || !(count >= 1 && count <= REPLICA_LIMITS.maxListed))
      return refuse(reply, 'bad-request', 'kind, number and limit must name entries of a copy');
    const copy = await copies.of(agentIdOf(request));
    if (exact === undefined) return (await copy.list(kind, { number: at, name }, count)).map(wireEntry);
    const sealed = await copy.get(kind, at, name);
    return sealed ? [wireEntry({ kind, number: at, name, sealed })] : [];
  });

  routes.post('/batches', async (request, reply) => {
    const agentId = agentIdOf(request);
    copies.checkWriter(agentId, request.headers[WRITER_HEADER]);
    const batch = readBatch(request.body);
    if (!batch) return refuse(reply, 'bad-request', 'the body is no batch of a copy');
    await (await copies.of(agentId)).write(batch);
    return {};
  });

  routes.post('/anew', async (request) => {
    const agentId = agentIdOf(request);
    copies.checkWriter(agentId, request.headers[WRITER_HEADER]);
    await (await copies.of(agentId)).beginAnew();
    return {};
  });

  routes.addHook('onError', async (request, _reply, error) => {
    if (error instanceof CopyUnavailable) await copies.forget(agentIdOf(request));
  });
}

function agentIdOf({ params }: FastifyRequest): string {
  const { agentId } = params as { readonly agentId?: unknown };
  return typeof agentId === 'string' ? agentId : '';
}

/** Compared by digest, in a time that reveals neither content nor length. */
function isRight(authorization: string | undefined, secret: string): boolean {
  const given = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
  return equalConstantTime(digest(given), digest(secret));
}

function refuse(
  reply: FastifyReply,
  code: keyof typeof REPLICA_ERRORS,
  message: string,
  status: number = REPLICA_ERRORS[code][2],
): FastifyReply {
  return reply.code(status).send({ error: { code, message } });
}

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: AgentLog,
): FastifyReply {
  if (error instanceof WriterReplaced) return refuse(reply, 'writer-replaced', error.message);
  if (error instanceof CopyUnavailable) {
    log.error({ agentId: agentIdOf(request), detail: error.message }, 'copy of a replica cannot be kept');
    return refuse(reply, 'copy-unavailable', 'the replica cannot write now');
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status < 500) return refuse(reply, 'bad-request', 'the request cannot be read', status);
  log.error({ err: error }, 'request of a replica failed');
  return refuse(reply, 'fault', 'a fault of the replica');
}
