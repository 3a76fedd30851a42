import type { FastifyInstance } from 'fastify';
import { SIMULATED_RECEIPT_PARAMETERS } from '../../kernel/api/catalogue/simulated-receipts.js';
import { RequestRefused } from '../../kernel/http/request/envelope.js';
import { formOf } from '../../kernel/http/request/form.js';
import { ADMINISTRATION, type WithId } from '../../kernel/http/request/route-kinds.js';
import { validValues } from '../../kernel/http/request/valid-values.js';
import type { PaymentRouteDeps } from './payment-deps.js';
import { paymentBody, readPayment } from './routes.js';

/** An addition of ours, test mode only: the transfer comes in that a payment waits for. */
export function receiptRoute(server: FastifyInstance, deps: PaymentRouteDeps): void {
  const { simulator } = deps;
  if (!simulator) return;
  server.post<WithId>('/v1/payments/:id/receipt', ADMINISTRATION.change, async (request) => {
    const named = validValues(formOf(request), SIMULATED_RECEIPT_PARAMETERS).get('entityId');
    const { id, acquirerReference } = await readPayment(deps, request, request.params.id, named);
    if (acquirerReference === null || !(await simulator.receive(acquirerReference)))
      throw new RequestRefused('no-receipt');
    await deps.service.continueWaiting(id, 'news');
    return paymentBody(deps, await readPayment(deps, request, id, named));
  });
}
