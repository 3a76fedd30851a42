import type { Tracing } from '../../kernel/tracing/tracing.js';
import type { Acquirer } from './acquirer.js';

/** The acquirer; each request to it is a span. */
export function tracedAcquirer(acquirer: Acquirer, tracing: Tracing | undefined): Acquirer {
  if (!tracing) return acquirer;
  return {
    name: acquirer.name,
    send: (request) =>
      tracing.span(
        `acquirer ${request.kind}`,
        { kind: 'client', attributes: { 'tillbridge.kind': request.kind } },
        () => acquirer.send(request),
        ({ resultCode }) => ({ 'tillbridge.result_code': resultCode }),
      ),
    status: (reference) =>
      tracing.span('acquirer status', { kind: 'client' }, () => acquirer.status(reference)),
  };
}
