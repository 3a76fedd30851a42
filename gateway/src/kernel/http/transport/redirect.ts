import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AdmitStranger } from '@tillbridge/platform/net/admit-strangers.js';
import { answerInTurn } from '@tillbridge/platform/net/answer-in-turn.js';
import { limitConnections } from '@tillbridge/platform/net/limit-connections.js';
import { LOOPBACK, type Peers } from '@tillbridge/platform/net/peers.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpLimits } from '../limits/http-limits.js';
import { invalidParameters } from '../request/envelope.js';
import { hookWhere } from '../request/hook-where.js';
import { PROBES } from '../request/probes.js';
import { cameEncrypted, decideTransport } from './decide.js';

/** How requests may come. */
export interface Transport {
  readonly mode: 'test' | 'live';
  /** Proxies whose X-Forwarded-Proto is trusted. */
  readonly proxies: Peers;
  /** Origin under which clients reach us, such as `https://pay.example`; absent: the host of the request. */
  readonly publicUrl?: string;
}

/** What is wrong with a request that has no https address. */
const NO_HOST = {
  name: 'Host',
  value: null,
  message: 'must name the host: this request has to come over https',
};

/** A host as a client may name it: nothing that could leave the authority of an address. */
const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?=$|:\d{1,5}$)/;

/** Whether a request may be served as it came; others are redirected to https. */
export function mayBeServed(transport: Transport, request: IncomingMessage): boolean {
  return decideTransport(transport.mode, arrivalOf(transport, request)) === 'serve';
}

/** Whether the client of a request speaks TLS. */
export function isEncrypted(transport: Transport, request: IncomingMessage): boolean {
  return cameEncrypted(arrivalOf(transport, request));
}

function arrivalOf({ proxies }: Transport, { socket, headers }: IncomingMessage) {
  return {
    encrypted: 'encrypted' in socket && socket.encrypted === true,
    fromLoopback: LOOPBACK.has(socket.remoteAddress),
    fromProxy: proxies.has(socket.remoteAddress),
    forwardedProto: headers['x-forwarded-proto']?.toString(),
  };
}

/** Answers what came over plain HTTP where TLS is required with 307 to its https address, before its body is read. */
export function requireTls(server: FastifyInstance, transport: Transport, admit: AdmitStranger): void {
  const isDue = ({ raw }: FastifyRequest) => !PROBES.has(raw.url ?? '') && !mayBeServed(transport, raw);
  const redirect = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(await admit(request, reply))) return reply;
    const location = httpsAddress(request.raw, transport.publicUrl);
    if (location === undefined) throw invalidParameters([NO_HOST]);
    return reply.code(307).header('location', location).send();
  };
  server.addHook('onRequest', hookWhere(isDue, redirect));
}

/** A plain HTTP server that sends every request to its https address, within the same limits; it does not listen yet. */
export function redirectServer(publicUrl: string, limits: HttpLimits): Server {
  const times = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
  };
  const server = createServer({ maxHeaderSize: limits.headerBytes, ...times }, (request, response) => {
    request.resume();
    const location = httpsAddress(request, publicUrl);
    response.writeHead(307, { location, 'content-length': 0, connection: 'close' }).end();
  });
  limitConnections(server, limits);
  answerInTurn(server);
  return server;
}

function httpsAddress(request: IncomingMessage, publicUrl: string): string;
function httpsAddress(request: IncomingMessage, publicUrl: string | undefined): string | undefined;
function httpsAddress(
  { url = '/', headers }: IncomingMessage,
  publicUrl: string | undefined,
): string | undefined {
  const host = HOST.exec(headers.host ?? '')?.[0];
  const origin = publicUrl ?? (host === undefined ? undefined : `https://${host}`);
  return origin === undefined ? undefined : `${origin}${url.startsWith('/') ? url : '/'}`;
}
