import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Where a stream of server-sent events is written to: the response of an HTTP request, or memory in a test. */
export interface EventSink {
  /** Writes text; `bufferedBytes` gives what then still waits. */
  write(text: string): void;
  readonly bufferedBytes: number;
  /** Resolves once what waits has been taken, or the sink has ended. */
  drained(): Promise<void>;
  /** Ends the stream; idempotent. */
  end(): void;
}

/** An HTTP response as the sink of an event stream; the headers are sent at once, with those that are given. */
export function responseSink(response: ServerResponse, headers: OutgoingHttpHeaders = {}): EventSink {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // Nothing follows a stream on its connection; kept alive it would only hold up the server's end.
    connection: 'close',
  });
  return {
    write: (text) => {
      if (!response.writableEnded) response.write(text);
    },
    get bufferedBytes() {
      return response.writableLength;
    },
    drained: () => drained(response),
    end: () => {
      response.end();
      // A client that does not read would hold the connection open for its last bytes.
      if (response.writableLength > 0) response.destroy();
    },
  };
}

function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
