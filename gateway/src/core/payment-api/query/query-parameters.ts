import { present } from '@tillbridge/wire/present.js';
import { QUERY_PAGE_PARAMETERS } from '../../../kernel/api/catalogue/query.js';
import { checkRequest, rowsOf } from '../../../kernel/api/check/check-request.js';
import type { ParameterError } from '../../../kernel/api/validate.js';
import { invalidParameters } from '../../../kernel/http/request/envelope.js';
import type { Form } from '../../../kernel/http/request/form.js';
import { frameFaults, frameOf, type TimeFrame } from '../../../kernel/http/request/time-frame.js';

export const QUERY_LIMITS = {
  /** Records of an answer without `limit`. */
  limit: 100,
  /** Records before a page: beyond, the time frame must be narrower. */
  window: 10_000,
} as const;

/** What a query selects. */
export interface PaymentQuery {
  readonly entityId?: string;
  readonly reference?: string;
  readonly frame?: TimeFrame;
  readonly shortId?: string;
  /** Absent: all. */
  readonly types?: readonly string[];
  readonly methods?: readonly string[];
  readonly withLinked: boolean;
  readonly limit: number;
  /** From 1 on. */
  readonly page: number;
}

const ROWS = [...rowsOf('query'), ...QUERY_PAGE_PARAMETERS];

/** Valid parameters of a query of payments. @throws RequestRefused naming every fault */
export function readQuery(form: Form): PaymentQuery {
  const query = read(form);
  if (query.reference === undefined && query.frame === undefined) throw withoutSubject(query);
  if ((query.page - 1) * query.limit >= QUERY_LIMITS.window) {
    const message = `the pages before it must have fewer than ${QUERY_LIMITS.window} records: narrow the time frame`;
    throw invalidParameters([{ name: 'pageNo', value: String(query.page), message }]);
  }
  return query;
}

/** Valid parameters of a query of one payment by its id. @throws RequestRefused naming every fault */
export function readIdQuery(form: Form): PaymentQuery {
  const query = read(form);
  const misplaced = ['merchantTransactionId', 'date.from', 'shortId', 'pageNo'].filter((name) =>
    form.parameters.some(([sent, value]) => sent === name && value !== ''),
  );
  if (misplaced.length === 0) return query;
  throw invalidParameters(
    misplaced.map((name) => ({ name, value: null, message: 'must not be combined with an id' })),
  );
}

function read(form: Form): PaymentQuery {
  const { values, errors } = checkRequest(form.parameters, { operation: 'query' }, ROWS);
  const faults: ParameterError[] = [...form.errors, ...errors, ...frameFaults(values)];
  if (faults.length > 0) throw invalidParameters(faults);
  return {
    ...present({
      entityId: values.get('entityId'),
      reference: values.get('merchantTransactionId'),
      shortId: values.get('shortId'),
      types: values.get('paymentTypes')?.split(','),
      methods: values.get('paymentMethods')?.split(','),
      frame: frameOf(values),
    }),
    withLinked: values.get('includeLinkedTransactions') === 'true',
    limit: Number(values.get('limit') ?? QUERY_LIMITS.limit),
    // A separate row, in addition to those that the type of the values knows.
    page: Number((values as ReadonlyMap<string, string>).get('pageNo') ?? 1),
  };
}

function withoutSubject({ shortId }: PaymentQuery) {
  const message =
    shortId === undefined
      ? 'may not be empty without date.from and date.to'
      : 'may not be empty: a shortId is found together with it, or with date.from and date.to';
  return invalidParameters([{ name: 'merchantTransactionId', value: null, message }]);
}
