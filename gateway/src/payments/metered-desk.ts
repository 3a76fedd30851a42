import { LATENCY_BUCKETS_SECONDS } from '@tillbridge/protocol/platform/metrics/registry.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { Counter, Histogram, type Registry } from 'prom-client';
import { REPLAY_CODE } from './card-use.js';
import type { Disposition, Origin, PaymentDesk, PaymentResult } from './desk.js';
import { StaleSessionError, TryLaterError } from './desk.js';
import { CONTENT_CHANGED_CODE } from './message-content.js';
import { TOMBSTONED_CODE } from './retry.js';

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

/** The desk, with every request counted by what was asked, through which door, and how it ended. */
export function meteredDesk(
  desk: PaymentDesk,
  registry: Registry,
  clock: Pick<Clock, 'monotonicMs'>,
): PaymentDesk {
  const payments = new Counter({
    name: 'tillbridge_gateway_payments_total',
    help: 'Requests for payments and follow-ups by type, door and outcome',
    labelNames: ['type', 'door', 'outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'tillbridge_gateway_payment_seconds',
    help: 'Time from a request for a payment to its committed outcome',
    labelNames: ['door'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  });
  const metered = async (
    { type, origin }: { readonly type: string; readonly origin: Origin },
    work: Promise<PaymentResult>,
  ): Promise<PaymentResult> => {
    const door = origin.kind;
    const startedMs = clock.monotonicMs();
    try {
      const result = await work;
      payments.inc({ type, door, outcome: outcomeOf(result) });
      seconds.observe({ door }, (clock.monotonicMs() - startedMs) / 1_000);
      return result;
    } catch (error) {
      payments.inc({ type, door, outcome: faultOf(error) });
      throw error;
    }
  };
  return {
    authorize: (request) => metered(request, desk.authorize(request)),
    followUp: (request) => metered(request, desk.followUp(request)),
    status: (agentId, messageId) => desk.status(agentId, messageId),
    find: (paymentId, entityId) => desk.find(paymentId, entityId),
    lookUp: (paymentId, entityId) => desk.lookUp(paymentId, entityId),
  };
}

function outcomeOf({ disposition, resultCode }: PaymentResult): Outcome {
  return disposition === 'refused' ? (REFUSALS[resultCode] ?? disposition) : disposition;
}

function faultOf(error: unknown): Outcome {
  if (error instanceof TryLaterError) return 'later';
  return error instanceof StaleSessionError ? 'superseded' : 'failed';
}
