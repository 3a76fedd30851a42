import { JournalUnavailable } from '../../journal/journal.js';
import { SaleError, type SaleErrorCode } from '../../sale/service/sale-service.js';
import { CATEGORIES, type MessageCategory } from '../messages/categories.js';
import type { NexoRequest } from '../messages/message.js';
import { NexoError } from '../messages/nexo-error.js';
import { type ErrorCondition, failure, type NexoResponse } from '../messages/response.js';

/** The error condition for each error of the sale service. */
const OF_SALE_ERRORS: Readonly<Record<SaleErrorCode, ErrorCondition>> = {
  'bad-request': 'MessageFormat',
  'unknown-terminal': 'MessageFormat',
  'unknown-reference': 'NotFound',
  'reference-conflict': 'NotAllowed',
  'terminal-busy': 'Busy',
  'not-allowed': 'NotAllowed',
  'outside-policy': 'PaymentRestriction',
  'journal-unavailable': 'UnavailableService',
  closing: 'UnavailableService',
};

/** The answer to a till for an error; `undefined` for a fault that the table does not have. */
export function refusalOf(error: unknown): NexoResponse | undefined {
  if (error instanceof NexoError)
    return failure(error.code === 'not-allowed' ? 'NotAllowed' : 'MessageFormat', error.message);
  if (error instanceof JournalUnavailable)
    return failure('UnavailableService', `nothing can be recorded, so nothing is accepted: ${error.detail}`);
  if (error instanceof SaleError) return failure(OF_SALE_ERRORS[error.code], error.message);
  return undefined;
}

/** The body of the response that refuses a request, with the members that its category cannot be without. */
export function refusalBody({ header, body }: NexoRequest, response: NexoResponse): object | undefined {
  const category: MessageCategory = header.MessageCategory;
  if (!('response' in CATEGORIES[category])) return undefined;
  switch (category) {
    case 'Display':
      return { OutputResult: [{ Device: 'CustomerDisplay', InfoQualify: 'Display', Response: response }] };
    case 'Input':
      return { InputResult: { Device: 'CustomerInput', InfoQualify: 'Input', Response: response } };
    case 'Print':
      return { DocumentQualifier: 'Document', Response: response };
    case 'Reconciliation':
      return {
        ReconciliationType: body.get('ReconciliationType') ?? 'SaleReconciliation',
        Response: response,
      };
    default:
      return { Response: response };
  }
}
