import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cartOf } from '../../../core/payment-api/cart.js';
import { readParameters } from '../../../core/payment-api/parameters.js';
import { checkCreditRight } from '../../../core/payment-api/payment-right.js';
import { paymentBody } from '../../../core/payment-api/routes.js';
import { merchantOf } from '../../../core/payments/cards/registered.js';
import { isWithin } from '../../../core/payments/lookup/routing.js';
import { registrationRefusal } from '../../../core/payments/registrations/registration.js';
import { registrationAnswer } from '../../../core/payments/view/registration-view.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import { contentAnswer } from '../../../kernel/http/request/content.js';
import { envelope, invalidParameters } from '../../../kernel/http/request/envelope.js';
import { tooManyRequests } from '../../../kernel/http/request/errors.js';
import { formOf, queryForm } from '../../../kernel/http/request/form.js';
import { PREPARATION, type WithId } from '../../../kernel/http/request/route-kinds.js';
import { decideAgain } from '../../../kernel/store/decide-again.js';
import type { CheckoutRow } from '../../../kernel/store/rows.js';
import { type CheckoutParameters, offeredIds } from '../checkout-parameters.js';
import { postedBefore } from '../posted.js';
import { CHECKOUT_LIMITS } from '../rules/checkout-limits.js';
import { isFinal, type PostedBefore } from '../rules/posted-before.js';
import type { CheckoutRouteDeps } from './checkout-deps.js';
import { changedParameters, contentFault, createdParameters } from './forms.js';
import { refusing } from './known-checkouts.js';

/** Result codes of checkouts (docs/result-codes.md). */
const CODES = {
  created: '000.200.100',
  changed: '000.200.101',
  removed: '000.200.102',
  open: '000.200.000',
} as const;
/** Code of a change that comes too late. */
const CLOSED = '100.350.101';

/** Both forms of a path: clients of the family send the version, the specification leaves it out (docs/checkouts.md). */
export const CHECKOUT_PATHS: readonly string[] = ['/v1/checkouts', '/checkouts'];

/** What merchants do with checkouts, by token (docs/checkouts.md). */
export function checkoutRoutes(server: FastifyInstance, deps: CheckoutRouteDeps): void {
  for (const path of CHECKOUT_PATHS) routesAt(server, deps, path);
}

function routesAt(server: FastifyInstance, deps: CheckoutRouteDeps, path: string): void {
  const { checkouts, clock } = deps;
  server.post(path, PREPARATION.make, async (request, reply) => {
    const validated = createdParameters(formOf(request));
    const entityId = validated.values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    checkCreditRight(callerOf(request), validated.values.get('paymentType'));
    const wrong = contentFault(validated, clock.nowMs());
    if (wrong) return reply.code(400).send(contentAnswer(deps, wrong));
    const parameters = Object.fromEntries(validated.values);
    await checkOffered(deps, entityId, parameters);
    await cartOf(deps.store, validated.values, entityId);
    const row = await checkouts.create(entityId, parameters, { reservedId: request.reservedPaymentId });
    const isGuarded = parameters.integrity === 'true';
    const integrity = isGuarded ? { integrity: await deps.widget.scriptIntegrity() } : {};
    return { ...answerOf(deps, row, CODES.created), ...integrity };
  });

  server.post<WithId>(`${path}/:id`, PREPARATION.change, async (request, reply) => {
    const form = formOf(request);
    const named = form.parameters.find(([name]) => name === 'entityId')?.[1];
    // What is sent changes what is stored by then.
    return decideAgain(
      deps,
      async () => {
        const row = await ownCheckout(deps, request, request.params.id, named);
        const validated = changedParameters(form, await checkouts.parametersOf(row));
        checkCreditRight(callerOf(request), validated.values.get('paymentType'));
        const wrong = contentFault(validated, clock.nowMs());
        const refused = wrong ?? (isFinal(await postedBefore(deps, row)) ? CLOSED : undefined);
        if (refused !== undefined)
          return reply.code(400).send({ ...contentAnswer(deps, refused), ndc: row.id });
        const parameters = Object.fromEntries(validated.values);
        await checkOffered(deps, row.entityId, parameters);
        await cartOf(deps.store, validated.values, row.entityId);
        await checkouts.change(row, parameters);
        return answerOf(deps, row, CODES.changed);
      },
      { key: `checkouts/${request.params.id}` },
    );
  });

  server.delete<WithId>(`${path}/:id`, PREPARATION.change, async (request) => {
    const named = readParameters(queryForm(request)).get('entityId');
    const row = await ownCheckout(deps, request, request.params.id, named);
    await checkouts.remove(row);
    return answerOf(deps, row, CODES.removed);
  });

  for (const posted of ['payment', 'registration'] as const)
    server.get<WithId>(`${path}/:id/${posted}`, PREPARATION.read, async (request, reply) => {
      const named = readParameters(queryForm(request)).get('entityId');
      const row = await ownCheckout(deps, request, request.params.id, named);
      const waitMs = await checkouts.countRead(row);
      if (waitMs > 0) throw tooManyRequests(reply, waitMs);
      const before = row.posted === posted ? await postedBefore(deps, row) : undefined;
      if (before && before.state !== 'pending') await checkouts.noteRead(row);
      return { ...(await statusBody(deps, before)), ndc: row.id };
    });
}

/** How what was posted stands; before anything was, that the checkout is open. */
async function statusBody(
  deps: CheckoutRouteDeps,
  { payment, registration }: PostedBefore = { state: 'pending' },
): Promise<object> {
  if (payment) return paymentBody(deps, payment);
  if (!registration) return envelope(deps, CODES.open);
  return registrationAnswer(registration, envelope(deps, deps.registrations.codeOf(registration)));
}

/** A checkout that the caller may use. @throws RequestRefused for one that is unknown, another's, or expired */
async function ownCheckout(
  { checkouts, store }: CheckoutRouteDeps,
  request: FastifyRequest,
  id: string,
  named: string | undefined,
): Promise<CheckoutRow> {
  const user = await callerOf(request).actsAs(named || undefined);
  return refusing(() => checkouts.find(id, (ownerId) => isWithin(store, ownerId, user)));
}

/** Stored details that a checkout offers are the merchant's own. @throws RequestRefused naming those that are not */
async function checkOffered(
  { store }: CheckoutRouteDeps,
  entityId: string,
  parameters: CheckoutParameters,
): Promise<void> {
  const ids = offeredIds(parameters);
  const tooMany = ids.length > CHECKOUT_LIMITS.registrations;
  const merchantId = await merchantOf(store, entityId);
  const wrong: string[] = [];
  for (const id of tooMany ? [] : ids)
    if (registrationRefusal(await store.get('registrations', [id]), merchantId) !== undefined) wrong.push(id);
  if (wrong.length === 0 && !tooMany) return;
  const limit = `must not be more than ${CHECKOUT_LIMITS.registrations}`;
  const errors = Object.entries(parameters)
    .filter(([name, id]) => name.startsWith('registrations[') && (tooMany || wrong.includes(id)))
    .map(([name, value]) => ({ name, value, message: tooMany ? limit : 'must be the id of a registration' }));
  throw invalidParameters(errors);
}

function answerOf(deps: CheckoutRouteDeps, { id }: CheckoutRow, code: string): object {
  return { id, ...envelope(deps, code), ndc: id };
}
