import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isFinal, postedBefore } from '../../checkouts/posted.js';
import { isWithin } from '../../payments/find/routing.js';
import type { CheckoutRow } from '../../store/rows.js';
import { CommitConflict } from '../../store/store.js';
import { readParameters } from '../payments/parameters.js';
import { paymentBody } from '../payments/routes.js';
import { callerOf } from '../request/authenticate.js';
import type { HttpDeps } from '../request/deps.js';
import { envelope, RequestRefused } from '../request/envelope.js';
import { tooManyRequests } from '../request/errors.js';
import { formOf, queryForm } from '../request/form.js';
import { changedParameters, contentCode, createdParameters } from './forms.js';
import { refusing } from './known-checkouts.js';

const MAKE = { config: { right: 'pay', throttle: 'payments' } } as const;
const CHANGE = { config: { right: 'pay', throttle: 'followUps' } } as const;
const READ = { config: { right: 'read', throttle: 'reads' } } as const;
/** Result codes of checkouts (reference §1.1). */
const CODES = {
  created: '000.200.100',
  changed: '000.200.101',
  removed: '000.200.102',
  open: '000.200.000',
} as const;
/** Code of a change that comes too late. */
const CLOSED = '100.350.101';

interface WithId {
  Params: { id: string };
}

/** Both forms of a path: clients of the family send the version, the specification leaves it out (spec 4, rule 2). */
export const CHECKOUT_PATHS: readonly string[] = ['/v1/checkouts', '/checkouts'];

/** What merchants do with checkouts, by token (reference §2.1). */
export function checkoutRoutes(server: FastifyInstance, deps: HttpDeps): void {
  for (const path of CHECKOUT_PATHS) routesAt(server, deps, path);
}

function routesAt(server: FastifyInstance, deps: HttpDeps, path: string): void {
  const { checkouts, clock } = deps;
  server.post(path, MAKE, async (request, reply) => {
    const validated = createdParameters(formOf(request));
    const entityId = validated.values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    const wrong = contentCode(validated, clock.nowMs());
    if (wrong !== undefined) return reply.code(400).send(envelope(deps, wrong));
    const row = await checkouts.create(entityId, Object.fromEntries(validated.values));
    return { ...answerOf(deps, row, CODES.created) };
  });

  server.post<WithId>(`${path}/:id`, CHANGE, async (request, reply) => {
    const form = formOf(request);
    const named = form.parameters.find(([name]) => name === 'entityId')?.[1];
    const row = await ownCheckout(deps, request, request.params.id, named);
    const validated = changedParameters(form, await checkouts.parametersOf(row));
    const wrong = contentCode(validated, clock.nowMs());
    const refused = wrong ?? (isFinal(await postedBefore(deps, row)) ? CLOSED : undefined);
    if (refused !== undefined) return reply.code(400).send({ ...envelope(deps, refused), ndc: row.id });
    await unlessBusy(() => checkouts.change(row, Object.fromEntries(validated.values)));
    return answerOf(deps, row, CODES.changed);
  });

  server.delete<WithId>(`${path}/:id`, CHANGE, async (request) => {
    const named = readParameters(queryForm(request)).get('entityId');
    const row = await ownCheckout(deps, request, request.params.id, named);
    await unlessBusy(() => checkouts.remove(row));
    return answerOf(deps, row, CODES.removed);
  });

  server.get<WithId>(`${path}/:id/payment`, READ, async (request, reply) => {
    const named = readParameters(queryForm(request)).get('entityId');
    const row = await ownCheckout(deps, request, request.params.id, named);
    const waitMs = checkouts.countRead(row);
    if (waitMs > 0) throw tooManyRequests(reply, waitMs);
    const { posted, postedId } = row;
    const payment =
      posted === 'payment' && postedId !== null
        ? await deps.service.lookUp(postedId, async () => true)
        : undefined;
    if (!payment) return { ...envelope(deps, CODES.open), ndc: row.id };
    if (payment.state !== 'pending') await checkouts.noteRead(row);
    return { ...(await paymentBody(deps, payment)), ndc: row.id };
  });
}

/** A checkout that the caller may use. @throws RequestRefused for one that is unknown, another's, or expired */
export async function ownCheckout(
  { checkouts, store }: HttpDeps,
  request: FastifyRequest,
  id: string,
  named: string | undefined,
): Promise<CheckoutRow> {
  const caller = callerOf(request);
  if (named !== undefined && named !== '') await caller.authorize(named);
  const user = named || caller.token.entityId;
  return refusing(() => checkouts.find(id, (ownerId) => isWithin(store, ownerId, user)));
}

function answerOf(deps: HttpDeps, { id }: CheckoutRow, code: string): object {
  return { id, ...envelope(deps, code), ndc: id };
}

/** @throws RequestRefused where something else changed the checkout at the same moment */
async function unlessBusy(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommitConflict) throw new RequestRefused('payment-running');
    throw error;
  }
}
