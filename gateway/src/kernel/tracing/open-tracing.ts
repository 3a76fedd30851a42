import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';
import { BUILD_NUMBER } from '../configuration/build-number.js';
import type { SpanAttributes, SpanStart, Tracing } from './tracing.js';

/** By which variable the collector of traces is named; the SDK reads it, and the others of OTLP. */
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** Opens the traces where a collector is named: the SDK is loaded then alone. */
export async function openTracing(env: NodeJS.ProcessEnv): Promise<Tracing | undefined> {
  if (!env[ENDPOINT]) return undefined;
  const [api, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace, isValidTraceId } = api;
  const provider = new sdk.NodeTracerProvider({
    resource: resourceOf(env.OTEL_SERVICE_NAME ?? 'tillbridge-gateway'),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('tillbridge-gateway', BUILD_NUMBER);
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
  // Of this gateway alone: a process may have others.
  const running = new AsyncLocalStorage<Context>();
  const remote = (traceId: string, spanId: string): Context =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
  const parentOf = ({ correlationId, headers }: SpanStart): Context => {
    if (correlationId !== undefined && isValidTraceId(correlationId))
      return remote(correlationId, correlationId.slice(-16));
    const [, traceId, spanId] = TRACE_PARENT.exec(String(headers?.traceparent)) ?? [];
    if (traceId && spanId && isValidTraceId(traceId)) return remote(traceId, spanId);
    return running.getStore() ?? ROOT_CONTEXT;
  };
  const begin: Tracing['begin'] = (name, start, go) => {
    const { kind, correlationId, attributes } = start;
    const parent = parentOf(start);
    const about = { ...attributes, ...(correlationId && { 'tillbridge.correlation_id': correlationId }) };
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: about }, parent);
    running.run(trace.setSpan(parent, span), go);
    return {
      end(more: SpanAttributes = {}, failed) {
        span.setAttributes(more);
        if (failed !== undefined) {
          span.setAttribute('error.type', failed instanceof Error ? failed.name : 'error');
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
  return {
    begin,
    async span(name, start, work, attributesOf = () => ({})) {
      let running: ReturnType<typeof work> | undefined;
      const span = begin(name, start, () => {
        running = work();
      });
      try {
        const result = await (running as ReturnType<typeof work>);
        span.end(attributesOf(result));
        return result;
      } catch (error) {
        span.end({}, error);
        throw error;
      }
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** W3C Trace Context, §3.2.2. */
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Whose spans these are. */
function resourceOf(name: string) {
  const attributes = { 'service.name': name, 'service.version': BUILD_NUMBER };
  const resource = {
    attributes,
    merge: () => resource,
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}
