import type { FastifyInstance, FastifyReply } from 'fastify';
import type { OpenSpan, Tracing } from './tracing.js';

/** Each request over HTTP is a span: its method, its route and its status, never its address or its body. */
export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyReply, OpenSpan>();
  server.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? 'none';
    const attributes = { 'http.request.method': method, 'http.route': route };
    const start = { kind: 'server', attributes, headers } as const;
    spans.set(reply, tracing.begin(`${method} ${route}`, start, done));
  });
  server.addHook('onResponse', (_request, reply, done) => {
    const { statusCode } = reply;
    const failed = statusCode >= 500 ? new Error('server error') : undefined;
    spans.get(reply)?.end({ 'http.response.status_code': statusCode }, failed);
    done();
  });
}
