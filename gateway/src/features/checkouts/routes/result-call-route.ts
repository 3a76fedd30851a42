import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance } from 'fastify';
import { readPayment } from '../../../core/payment-api/routes.js';
import { RESULT_CALL_PARAMETERS } from '../../../kernel/api/catalogue/result-call.js';
import { done, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { formOf } from '../../../kernel/http/request/form.js';
import { ADMINISTRATION, type WithId } from '../../../kernel/http/request/route-kinds.js';
import { validValues } from '../../../kernel/http/request/valid-values.js';
import type { CheckoutRow } from '../../../kernel/store/rows.js';
import type { ResultCall } from '../rules/decide-result-call.js';
import type { CheckoutRouteDeps } from './checkout-deps.js';

/** An addition of ours, test mode only: a shop is called with the result of a checkout at once, and not after 29 minutes. */
export function resultCallRoute(server: FastifyInstance, deps: CheckoutRouteDeps): void {
  if (deps.mode !== 'test') return;
  const path = '/v1/payments/:id/resultCall';
  server.post<WithId>(path, ADMINISTRATION.change, async (request) => {
    const values = validValues(formOf(request), RESULT_CALL_PARAMETERS);
    const { id } = await readPayment(deps, request, request.params.id, values.get('entityId'));
    const [checkout] = await deps.store.find('checkouts', 'posted', [id], { limit: 1 });
    const call = checkout && (await callNow(deps, checkout));
    if (!call) throw new RequestRefused('no-result-call');
    const { atMs, status, fault } = call;
    const shown = { at: new Date(atMs).toISOString(), ...present({ status, fault }) };
    return done(deps, { call: shown });
  });
}

/** The call that is made now; undefined where there is none to be made. */
async function callNow(
  { resultCallLoop, store }: CheckoutRouteDeps,
  row: CheckoutRow,
): Promise<ResultCall | undefined> {
  if (!(await resultCallLoop.take(row))) return undefined;
  const calls = callsOf((await store.get('checkouts', [row.id])) ?? row);
  return calls.length > callsOf(row).length ? calls.at(-1) : undefined;
}

function callsOf({ calls }: CheckoutRow): readonly ResultCall[] {
  return JSON.parse(calls) as readonly ResultCall[];
}
