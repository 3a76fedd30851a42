import { LATENCY_BUCKETS_SECONDS } from '@tillbridge/platform/metrics/registry.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { Counter, Histogram, type Registry } from 'prom-client';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import type { PaymentService } from './payment-service.js';
import { REPLAY_CODE } from './rules/atc-replay.js';
import { CONTENT_CHANGED_CODE } from './rules/message-content.js';
import type { Disposition, Origin, PaymentResult } from './rules/requests.js';
import { StaleSessionError } from './rules/requests.js';
import { TOMBSTONED_CODE } from './steps/retry.js';

/** How a request ended, as it is counted: its disposition, a refusal that deserves a look, or why there was no answer. */
type Outcome =
  | Disposition
  | 'replayed'
  | 'content-changed'
  | 'tombstoned'
  | 'later'
  | 'superseded'
  | 'failed';

const REFUSALS: Readonly<Record<string, Outcome>> = {
  [REPLAY_CODE]: 'replayed',
  [CONTENT_CHANGED_CODE]: 'content-changed',
  [TOMBSTONED_CODE]: 'tombstoned',
};

/** The service, with every request counted by operation, channel and outcome. */
export function meteredService(
  service: PaymentService,
  registry: Registry,
  clock: Pick<Clock, 'monotonicMs'>,
): PaymentService {
  const payments = new Counter({
    name: 'tillbridge_gateway_payments_total',
    help: 'Requests for payments and follow-ups by type, channel and outcome',
    labelNames: ['type', 'channel', 'outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'tillbridge_gateway_payment_seconds',
    help: 'Time from a request for a payment to its committed outcome',
    labelNames: ['channel'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  });
  const metered = async (
    { type, origin }: { readonly type: string; readonly origin: Origin },
    work: Promise<PaymentResult>,
  ): Promise<PaymentResult> => {
    const channel = origin.kind;
    const startedMs = clock.monotonicMs();
    try {
      const result = await work;
      payments.inc({ type, channel, outcome: outcomeOf(result) });
      seconds.observe({ channel }, (clock.monotonicMs() - startedMs) / 1_000);
      return result;
    } catch (error) {
      payments.inc({ type, channel, outcome: faultOf(error) });
      throw error;
    }
  };
  return {
    authorize: (request) => metered(request, service.authorize(request)),
    followUp: (request) => metered(request, service.followUp(request)),
    status: (agentId, messageId) => service.status(agentId, messageId),
    find: (paymentId, entityId) => service.find(paymentId, entityId),
    continueWaiting: (paymentId, why) => service.continueWaiting(paymentId, why),
    lookUp: (paymentId, reader) => service.lookUp(paymentId, reader),
  };
}

function outcomeOf({ disposition, resultCode }: PaymentResult): Outcome {
  return disposition === 'refused' ? (REFUSALS[resultCode] ?? disposition) : disposition;
}

function faultOf(error: unknown): Outcome {
  if (error instanceof TryLaterError) return 'later';
  return error instanceof StaleSessionError ? 'superseded' : 'failed';
}
