import { correlationOf } from '@tillbridge/protocol/bridge/message-id.js';
import type { Acquirer } from '../acquirers/acquirer.js';
import type { Origin, PaymentResult } from '../payments/decide/requests.js';
import type { PaymentService } from '../payments/payment-service.js';
import type { Change, Store } from '../store/store.js';
import { withCommit } from '../store/with-commit.js';
import type { Tracing } from './tracing.js';

/** A line of the log for each message of an agent that got an outcome. */
type LogMessage = (about: object, text: string) => void;

/**
 * The service; each message of an agent is a span in the trace of its correlation id, and a line in the log with it. A request over REST is
 * a span of the trace that goes on.
 */
export function tracedService(
  service: PaymentService,
  tracing: Tracing | undefined,
  log: LogMessage,
): PaymentService {
  const traced = async (
    { type, origin }: { readonly type: string; readonly origin: Origin },
    work: () => Promise<PaymentResult>,
  ): Promise<PaymentResult> => {
    const correlationId = origin.kind === 'bridge' ? correlationOf(origin.messageId) : undefined;
    const start = {
      kind: 'server',
      attributes: { 'tillbridge.kind': type },
      ...(correlationId && { correlationId }),
    } as const;
    const result = tracing
      ? await tracing.span('payment', start, work, (ended) => ({
          'tillbridge.outcome': ended.disposition,
          'tillbridge.result_code': ended.resultCode,
        }))
      : await work();
    const { disposition: outcome, resultCode } = result;
    if (correlationId) log({ correlationId, type, outcome, resultCode }, 'message of an agent');
    return result;
  };
  return {
    ...passing(service),
    authorize: (request) => traced(request, () => service.authorize(request)),
    followUp: (request) => traced(request, () => service.followUp(request)),
  };
}

function passing(service: PaymentService): Omit<PaymentService, 'authorize' | 'followUp'> {
  return {
    status: (agentId, messageId) => service.status(agentId, messageId),
    find: (paymentId, entityId) => service.find(paymentId, entityId),
    continueWaiting: (paymentId, why) => service.continueWaiting(paymentId, why),
    lookUp: (paymentId, reader) => service.lookUp(paymentId, reader),
  };
}

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

/** The store; each commit is a span. */
export function tracedStore(store: Store, tracing: Tracing | undefined): Store {
  if (!tracing) return store;
  return withCommit(store, (changes) => {
    const attributes = { 'tillbridge.tables': tablesOf(changes) };
    return tracing.span('commit', { kind: 'client', attributes }, () => store.commit(changes));
  });
}

function tablesOf(changes: readonly Change[]): string {
  const tables = changes.flatMap((change) => ('table' in change ? [change.table] : []));
  return [...new Set(tables)].join(' ');
}
