import { correlationOf } from '@tillbridge/wire/bridge/message-id.js';
import type { Tracing } from '../../kernel/tracing/tracing.js';
import type { PaymentService } from './payment-service.js';
import type { Origin, PaymentResult } from './rules/requests.js';

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
    const result = await (tracing ? inSpan(tracing, { type, correlationId }, work) : work());
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

function inSpan(
  tracing: Tracing,
  { type, correlationId }: { readonly type: string; readonly correlationId: string | undefined },
  work: () => Promise<PaymentResult>,
): Promise<PaymentResult> {
  const attributes = { 'tillbridge.kind': type };
  const start = { kind: 'server', attributes, ...(correlationId && { correlationId }) } as const;
  return tracing.span('payment', start, work, ({ disposition, resultCode }) => ({
    'tillbridge.outcome': disposition,
    'tillbridge.result_code': resultCode,
  }));
}

function passing(service: PaymentService): Omit<PaymentService, 'authorize' | 'followUp'> {
  return {
    status: (agentId, messageId) => service.status(agentId, messageId),
    find: (paymentId, entityId) => service.find(paymentId, entityId),
    continueWaiting: (paymentId, why) => service.continueWaiting(paymentId, why),
    lookUp: (paymentId, reader) => service.lookUp(paymentId, reader),
  };
}
