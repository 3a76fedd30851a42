import { expect, it } from 'vitest';
import { JournalUnavailable } from '../../journal/journal.js';
import { SaleError } from '../../sale/service/sale-service.js';
import { Fields } from '../messages/fields.js';
import type { MessageHeader } from '../messages/header.js';
import { NexoError } from '../messages/nexo-error.js';
import { failure } from '../messages/response.js';
import { refusalBody, refusalOf } from './refusals.js';

it.each([
  [new NexoError('bad-field', 'why'), 'MessageFormat'],
  [new NexoError('not-allowed', 'why'), 'NotAllowed'],
  [new SaleError('terminal-busy', 'why'), 'Busy'],
  [new SaleError('outside-policy', 'why'), 'PaymentRestriction'],
])('%s is answered as %s', (error, condition) => {
  expect(refusalOf(error)).toEqual(failure(condition as 'Busy', 'why'));
});

it('names the fault of a journal that records nothing, and knows no other fault', () => {
  expect(refusalOf(new JournalUnavailable('disk-full', 'the disk is full'))).toMatchObject({
    ErrorCondition: 'UnavailableService',
    AdditionalResponse: expect.stringContaining('the%20disk%20is%20full'),
  });
  expect(refusalOf(new Error('a fault of ours'))).toBeUndefined();
});

const refused = failure('Busy', 'why');
const bodyOf = (MessageCategory: MessageHeader['MessageCategory'], body: object = {}) =>
  refusalBody({ header: { MessageCategory } as MessageHeader, body: new Fields(body, 'x') }, refused);

it.each<[MessageHeader['MessageCategory'], object, object | undefined]>([
  ['Payment', {}, { Response: refused }],
  [
    'Display',
    {},
    { OutputResult: [{ Device: 'CustomerDisplay', InfoQualify: 'Display', Response: refused }] },
  ],
  ['Input', {}, { InputResult: { Device: 'CustomerInput', InfoQualify: 'Input', Response: refused } }],
  ['Print', {}, { DocumentQualifier: 'Document', Response: refused }],
  ['Reconciliation', {}, { ReconciliationType: 'SaleReconciliation', Response: refused }],
  [
    'Reconciliation',
    { ReconciliationType: 'PreviousReconciliation' },
    { ReconciliationType: 'PreviousReconciliation', Response: refused },
  ],
  ['Abort', {}, undefined],
  ['Event', {}, undefined],
])('a refused %s of %j has all that its response needs', (category, body, response) => {
  expect(bodyOf(category, body)).toEqual(response);
});
