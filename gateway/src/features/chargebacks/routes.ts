import { amountOrFault, type Money } from '@tillbridge/wire/payment/money.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ChargebackKind, ChargebackSimulator } from '../../core/acquirers/acquirer.js';
import type { Kernel } from '../../core/feature.js';
import { paymentBody, readPayment } from '../../core/payment-api/routes.js';
import { isChargeback } from '../../core/payments/rules/chargeback.js';
import {
  chargebackReasonFault,
  SIMULATED_CHARGEBACK_PARAMETERS,
} from '../../kernel/api/catalogue/simulated-chargebacks.js';
import { invalidParameters, RequestRefused } from '../../kernel/http/request/envelope.js';
import { formOf } from '../../kernel/http/request/form.js';
import { ADMINISTRATION, type WithId } from '../../kernel/http/request/route-kinds.js';
import { validValues } from '../../kernel/http/request/valid-values.js';
import { findAll } from '../../kernel/store/all-rows.js';
import { newId } from '../../kernel/store/new-id.js';
import type { PaymentRow } from '../../kernel/store/rows.js';

/** Fraud with a card that was not there. */
const REASON = '10.4';
/** How long a chargeback may wait for requests on its payment, and how often it is looked at; milliseconds. */
const BOOKING = { limitMs: 10_000, againMs: 25 } as const;

/** Additions of ours, test mode only: a cardholder who takes money back, and an issuer who gives it to the merchant again. */
export function chargebackRoutes(server: FastifyInstance, deps: Kernel): void {
  const { simulator } = deps;
  if (!simulator) return;
  for (const [name, kind] of [
    ['chargeback', 'chargeback'],
    ['chargebackReversal', 'chargeback-reversal'],
  ] as const)
    server.post<WithId>(`/v1/payments/:id/${name}`, ADMINISTRATION.change, async (request) =>
      paymentBody(deps, await simulate(deps, simulator, request, request.params.id, kind)),
    );
}

async function simulate(
  deps: Kernel,
  simulator: ChargebackSimulator,
  request: FastifyRequest,
  id: string,
  kind: ChargebackKind,
): Promise<PaymentRow> {
  const values = validValues(formOf(request), SIMULATED_CHARGEBACK_PARAMETERS);
  const reason = values.get('reason') ?? REASON;
  const fault = chargebackReasonFault(reason);
  if (fault) throw invalidParameters([{ name: 'reason', value: reason, message: fault }]);
  const payment = await readPayment(deps, request, id, values.get('entityId'));
  const originalReference = payment.acquirerReference;
  const isOfKind = isChargeback(payment) === (kind === 'chargeback-reversal');
  if (originalReference === null || !isOfKind) throw new RequestRefused('no-chargeback');
  const amount = amountOf(payment, kind, values.get('amount'));
  const reference = newId(deps.random);
  const isDone = await simulator.chargeBack({ kind, reference, originalReference, amount, reason });
  if (!isDone) throw new RequestRefused('no-chargeback');
  const { clock, store, chargebacks } = deps;
  const untilMs = clock.monotonicMs() + BOOKING.limitMs;
  for (;;) {
    await chargebacks.round();
    const family = await findAll(store, 'payments', 'root', [payment.rootId ?? payment.id]);
    const booked = family.find(({ acquirerReference }) => acquirerReference === reference);
    if (booked) return booked;
    // The money has moved: the answer waits for a request on the payment that runs, or for another one that books.
    if (clock.monotonicMs() >= untilMs) throw new RequestRefused('payment-running');
    await new Promise<void>((resolve) => clock.setTimer(BOOKING.againMs, resolve));
  }
}

/** What is taken: the named amount, else all that is left; of a reversal all of the chargeback. */
function amountOf(payment: PaymentRow, kind: ChargebackKind, wanted: string | undefined): Money {
  const { currency, amountMinor, capturedMinor, refundedMinor, chargedBackMinor } = payment;
  if (kind === 'chargeback-reversal') return { minor: amountMinor, currency };
  if (wanted === undefined) return { minor: capturedMinor - refundedMinor - chargedBackMinor, currency };
  const read = amountOrFault(wanted, currency);
  if (typeof read === 'string') throw invalidParameters([{ name: 'amount', value: wanted, message: read }]);
  return read;
}
