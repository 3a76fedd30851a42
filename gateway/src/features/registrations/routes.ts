import { isExpired } from '@tillbridge/wire/payment/expiry.js';
import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { directDebitErrors } from '../../core/payment-api/mandate.js';
import { checkForm, readParameters } from '../../core/payment-api/parameters.js';
import type { PaymentRouteDeps } from '../../core/payment-api/payment-deps.js';
import {
  migrationOf,
  migrationRefusal,
  registrationRequest,
} from '../../core/payment-api/registration-request.js';
import { isWithin } from '../../core/payments/lookup/routing.js';
import { registrationAnswer } from '../../core/payments/view/registration-view.js';
import type { Registrations } from '../../core/registrations/registrations.js';
import { AgreementInUseError } from '../../core/registrations/registrations.js';
import { REGISTRATION_CHANGE_PARAMETERS } from '../../kernel/api/catalogue/registrations/change.js';
import { callerOf } from '../../kernel/http/request/authenticate.js';
import { contentAnswer, isContentRefusal } from '../../kernel/http/request/content.js';
import { envelope, RequestRefused } from '../../kernel/http/request/envelope.js';
import { formOf, queryForm } from '../../kernel/http/request/form.js';
import { PREPARATION, type WithId } from '../../kernel/http/request/route-kinds.js';
import { validValues } from '../../kernel/http/request/valid-values.js';
import type { RegistrationRow } from '../../kernel/store/rows.js';

/** What the routes of registrations work with. */
interface RegistrationRouteDeps extends PaymentRouteDeps {
  readonly registrations: Registrations;
}

/** Code of an expiry date that is over. */
const EXPIRED = '100.100.303';

/** `/v1/registrations` (docs/registrations.md): payment details that merchants keep. */
export function registrationRoutes(server: FastifyInstance, deps: RegistrationRouteDeps): void {
  const { registrations, clock } = deps;
  const answer = (row: RegistrationRow, testMode?: string): object =>
    registrationAnswer(row, envelope(deps, registrations.codeOf(row, testMode)));

  server.post('/v1/registrations', PREPARATION.make, async (request, reply) => {
    const validated = checkForm(formOf(request), { operation: 'registration' }, (values) =>
      directDebitErrors(values, clock.nowMs()),
    );
    const entityId = validated.values.get('entityId') ?? '';
    await callerOf(request).authorize(entityId);
    const requested = registrationRequest(deps, validated, entityId);
    if (isContentRefusal(requested)) return reply.code(400).send(contentAnswer(deps, requested));
    const id = request.reservedPaymentId;
    // The answer to the same key got lost.
    const before = id === undefined ? undefined : await registrations.find(id);
    const testMode = validated.values.get('testMode');
    if (before) return answer(before, testMode);
    try {
      const made = await registrations.create({ ...requested, ...present({ id }) }, migrationOf(validated));
      return answer(made, testMode);
    } catch (error) {
      if (!(error instanceof AgreementInUseError)) throw error;
      return reply.code(400).send(contentAnswer(deps, migrationRefusal(validated, error)));
    }
  });

  server.get<WithId>('/v1/registrations/:id', PREPARATION.read, async (request) => {
    const named = readParameters(queryForm(request)).get('entityId');
    return answer(await ownRegistration(deps, request, request.params.id, named));
  });

  server.post<WithId>('/v1/registrations/:id', PREPARATION.change, async (request, reply) => {
    const values = validValues(formOf(request), REGISTRATION_CHANGE_PARAMETERS);
    const row = await ownRegistration(deps, request, request.params.id, values.get('entityId'));
    const [expiryMonth, expiryYear] = [values.get('card.expiryMonth'), values.get('card.expiryYear')];
    const date = {
      expiryMonth: expiryMonth ?? row.expiryMonth ?? '',
      expiryYear: expiryYear ?? row.expiryYear ?? '',
    };
    if (row.kind === 'card' && isExpired(date, clock.nowMs()))
      return reply.code(400).send(envelope(deps, EXPIRED));
    const changed = await registrations.change(
      row,
      present({ expiryMonth, expiryYear, holder: values.get('card.holder') }),
    );
    return typeof changed === 'string' ? reply.code(400).send(envelope(deps, changed)) : answer(changed);
  });

  server.delete<WithId>('/v1/registrations/:id', PREPARATION.change, async (request) => {
    const named = readParameters(queryForm(request)).get('entityId');
    const row = await ownRegistration(deps, request, request.params.id, named);
    if ((await registrations.remove(row)) !== undefined) throw new RequestRefused('registration-removed');
    return answer(row);
  });
}

/** A registration that the caller may look after. @throws RequestRefused for one that is unknown or another's, and for a removed one */
async function ownRegistration(
  { registrations, store }: RegistrationRouteDeps,
  request: FastifyRequest,
  id: string,
  named: string | undefined,
): Promise<RegistrationRow> {
  const user = await callerOf(request).actsAs(named);
  const row = await registrations.find(id);
  if (!row || !(await isWithin(store, row.entityId, user))) throw new RequestRefused('registration-unknown');
  if (row.state === 'removed') throw new RequestRefused('registration-removed');
  return row;
}
