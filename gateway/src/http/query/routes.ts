import type { ParameterValues } from '@tillbridge/protocol/api/catalogue/sections.js';
import { checkRequest } from '@tillbridge/protocol/api/check/check-request.js';
import type { ParameterError } from '@tillbridge/protocol/api/validate.js';
import { paymentMethodOf } from '@tillbridge/protocol/payment/account-methods.js';
import type { FastifyInstance } from 'fastify';
import { findByReference } from '../../payments/find/find-by-reference.js';
import { paymentBody, readRoute } from '../payments/routes.js';
import { callerOf } from '../request/authenticate.js';
import type { HttpDeps } from '../request/deps.js';
import { envelope, invalidParameters, RequestRefused } from '../request/envelope.js';
import { type Form, queryForm } from '../request/form.js';

/** Code of a query that found something (reference §2.4). */
const FOUND = '000.000.100';

/** Records of an answer unless `limit` says otherwise (spec 8). */
const DEFAULT_LIMIT = 100;

/** For the client that lost its answer: a payment by its id or by the merchant's reference (reference §2.4). */
export function queryRoutes(server: FastifyInstance, deps: HttpDeps): void {
  readRoute(server, deps, '/v1/query/:id', 'query');
  server.get('/v3/query', { config: { right: 'read', throttle: 'query' } }, async (request) => {
    const values = queryParameters(queryForm(request));
    const entityIds = await callerOf(request).readableEntities(values.get('entityId'));
    const records = await recordsOf(deps, entityIds, values);
    if (records.length === 0) throw new RequestRefused('nothing-found');
    // Clients of the first version read `payments`, those of the third `records`.
    return { ...envelope(deps, FOUND), records, payments: records, pages: 1 };
  });
}

/** The payments that were asked for, newest first, whichever of the entities made them. */
async function recordsOf(
  deps: HttpDeps,
  entityIds: readonly string[],
  values: ParameterValues,
): Promise<readonly object[]> {
  const types = values.get('paymentTypes')?.split(',');
  const methods = values.get('paymentMethods')?.split(',');
  const found = await findByReference(deps.store, entityIds, values.get('merchantTransactionId') ?? '');
  // A PA.CP is what it says: a PA and a CP.
  const wanted = found.filter(
    ({ type, brand }) =>
      (!types || type.split('.').some((part) => types.includes(part))) &&
      (!methods || methods.includes(paymentMethodOf(brand))),
  );
  const records: object[] = [];
  for (const { id, entityId } of wanted.slice(0, Number(values.get('limit') ?? DEFAULT_LIMIT))) {
    const payment = await deps.service.lookUp(id, entityId);
    if (payment) records.push(await paymentBody(deps, payment));
  }
  return records;
}

/** Valid parameters of a query by reference. @throws RequestRefused naming every fault */
function queryParameters(form: Form): ParameterValues {
  const { values, errors } = checkRequest(form.parameters, { operation: 'query' });
  const faults: ParameterError[] = [...form.errors, ...errors];
  if (faults.length === 0) faults.push(...beyondReference(values));
  if (faults.length > 0) throw invalidParameters(faults);
  return values;
}

/** Errors for what this query does not support: ignoring it would give a wrong list. */
function beyondReference(values: ParameterValues): ParameterError[] {
  const errors: ParameterError[] = [];
  if (!values.has('merchantTransactionId')) {
    errors.push({ name: 'merchantTransactionId', value: null, message: 'may not be empty' });
  }
  for (const name of ['shortId', 'includeLinkedTransactions']) {
    const value = values.get(name);
    if (value === undefined || value === 'false') continue;
    errors.push({ name, value, message: 'is not supported by this query: ask by merchantTransactionId' });
  }
  return errors;
}
