import type { Acquirer } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { Gate, GateVerdict } from '@tillbridge/gateway/core/payments/gates/gate.js';
import type { PaymentRequest } from '@tillbridge/gateway/core/payments/rules/requests.js';
import { WAITS } from '@tillbridge/gateway/core/payments/rules/waits.js';
import { GatewayPaymentService } from '@tillbridge/gateway/core/payments/service.js';
import { CHALLENGE } from '../gateway/call-outcomes.js';
import {
  ENTITY,
  type GatewaySeams,
  NamedRandom,
  paymentContext,
  restPayment,
} from '../gateway/gateway-program.js';
import type { Program } from '../gateway/replayed-process.js';

/** Where a payment waits: at its bank for the shopper, or at a gate for the issuer's challenge. */
export type WaitingPlace = 'bank' | 'gate';

/** What a node is given to do with a payment that waits; `hours`: how long its time is over by then. */
export type WaitsWork =
  | { readonly kind: 'pay'; readonly paymentId: string; readonly at: WaitingPlace }
  /** The shopper comes back. */
  | { readonly kind: 'return'; readonly paymentId: string; readonly hours: number }
  /** The merchant requests the status. */
  | { readonly kind: 'look-up'; readonly paymentId: string; readonly hours: number }
  /** A round of the work on deadlines. */
  | { readonly kind: 'deadlines'; readonly hours: number }
  /** A round of the resolver. */
  | { readonly kind: 'resolve'; readonly hours: number };

const HOUR_MS = 3_600_000;
/** Any wait is over by then. */
const LONGEST_MS = Math.max(WAITS.redirect.lifetimeMs, WAITS.challenge.lifetimeMs);

/** The part of a gate that an issuer decides: the payment waits until its shopper has proven who they are, or failed to. */
function challengeGate(issuer: Pick<Acquirer, 'status'>): Gate {
  const wait: GateVerdict = { verdict: 'wait', waiting: { kind: 'challenge' }, state: 'begun' };
  return {
    name: 'challenge',
    pass: async ({ instrument }) => (instrument.kind === 'card' ? wait : { verdict: 'pass' }),
    again: async () => {
      const status = await issuer.status(CHALLENGE);
      if (status.state !== 'answered') return wait;
      return status.answer.approved
        ? { verdict: 'pass' }
        : { verdict: 'refuse', resultCode: status.answer.resultCode };
    },
  };
}

/** A node whose payment service lets payments wait. */
export function waitsProgram(name: string, seams: GatewaySeams = {}): Program<WaitsWork> {
  return ({ store: given, acquirer: line, clock: moment }) => {
    let overMs = 0;
    const clock = { ...moment, nowMs: () => moment.nowMs() + overMs };
    const store = seams.store?.(given) ?? given;
    const acquirer = seams.acquirer?.(line) ?? line;
    const challenge = challengeGate(line);
    const gates = [seams.gate?.(challenge) ?? challenge];
    const context = paymentContext({ store, acquirer, clock }, new NamedRandom(name));
    const own = new GatewayPaymentService({ ...context, gates });
    const service = seams.paymentService?.(own) ?? own;
    return async (work) => {
      if (work.kind === 'pay') return service.authorize(waitingPayment(work.paymentId, work.at));
      overMs = Math.max(overMs, work.hours === 0 ? 0 : LONGEST_MS + work.hours * HOUR_MS);
      switch (work.kind) {
        case 'return':
          return service.continueWaiting(work.paymentId, 'return');
        case 'look-up':
          return service.lookUp(work.paymentId, ENTITY);
        case 'deadlines':
          return own.endOverdueWaits();
        case 'resolve':
          return own.resolveOpen();
      }
    };
  };
}

function waitingPayment(paymentId: string, at: WaitingPlace): PaymentRequest {
  const payment = restPayment(paymentId);
  if (at === 'gate') return payment;
  const { card: _card, ...rest } = payment;
  const instrument = { kind: 'virtual-account', brand: 'PAYPAL', accountId: 'jane@example.com' } as const;
  return { ...rest, instrument };
}
