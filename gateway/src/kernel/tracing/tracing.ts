/** What spans may say: names and codes of our own, and nothing that a client, a card or a till has written. */
export type SpanAttributes = Readonly<
  Partial<
    Record<
      | 'http.request.method'
      | 'http.route'
      | 'http.response.status_code'
      | 'error.type'
      | 'tillbridge.correlation_id'
      | 'tillbridge.kind'
      | 'tillbridge.outcome'
      | 'tillbridge.result_code'
      | 'tillbridge.tables',
      string | number
    >
  >
>;

/** How a span begins. */
export interface SpanStart {
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /** 32 hex: the span is of the trace with this id, else of the one that goes on here. */
  readonly correlationId?: string;
  /** Headers of a request that may name a trace (W3C Trace Context). */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A span that runs. */
export interface OpenSpan {
  /** @param failed what has failed, by its name alone: a message may hold what a client has written */
  end(attributes?: SpanAttributes, failed?: unknown): void;
}

/** Spans of what the gateway does (OpenTelemetry). */
export interface Tracing {
  /** Begins a span; what `go` begins, and what follows from it, belongs to it. */
  begin(name: string, start: SpanStart, go: () => void): OpenSpan;
  /** Runs work in a span. @param attributesOf what its result adds */
  span<T>(
    name: string,
    start: SpanStart,
    work: () => Promise<T>,
    attributesOf?: (result: T) => SpanAttributes,
  ): Promise<T>;
  /** Sends what waits, then ends. Never fails. */
  close(): Promise<void>;
}
