import { describe, expect, it } from 'vitest';
import type { Rows } from '../../kernel/store/rows.js';
import { TABLES, type TableName } from '../../kernel/store/tables.js';
import * as masked from './masked-rows.js';

/** What a column of text has, and no file may show where the column is not listed. */
const SECRET = 'some-text-of-a-shopper';
/** Columns that hold a JSON object. */
const JSON_COLUMNS = ['echo', 'answer'];

/** A row whose columns of text all have the secret; in JSON under a name that no rule knows. */
function rowOf<T extends TableName>(table: T): Rows[T] {
  const columns = Object.entries(TABLES[table].columns as Record<string, { readonly type: string }>);
  const values = columns.map(([name, { type }]) => {
    if (type !== 'TEXT') return [name, 1];
    return [name, JSON_COLUMNS.includes(name) ? `{"unknown":"${SECRET}"}` : SECRET];
  });
  return Object.fromEntries(values) as Rows[T];
}

const carried = (row: object) =>
  Object.entries(row).flatMap(([name, value]) => (String(value).includes(SECRET) ? [name] : []));

// A new column is in the file only where its name is added here: it must not identify a card or a shopper.
describe('an incident file of a gateway carries the texts', () => {
  it('of a payment: ids, codes, kinds and references', () => {
    expect(carried(masked.payment(rowOf('payments')))).toEqual([
      ...['id', 'entityId', 'type', 'state', 'referencedId', 'rootId', 'currency', 'lockedBy', 'resultCode'],
      // As texts of logs: masked where they look like card data.
      'description',
      ...[
        'approvalCode',
        'responseCode',
        'brand',
        'last4Digits',
        'method',
        'numberType',
        'wallet',
        'vaultId',
      ],
      ...['acquirer', 'acquirerReference', 'captureReference', 'agentId', 'messageId', 'terminalId'],
      ...['reference', 'offline'],
    ]);
  });

  it('of a wait: ids and the kind', () => {
    expect(carried(masked.wait(rowOf('waits')))).toEqual([
      ...['paymentId', 'entityId', 'intentId', 'kind', 'checkoutId', 'leasedBy'],
    ]);
  });

  it('of a decision: where it was made, and its text as in logs', () => {
    expect(carried(masked.decision(rowOf('decisions')))).toEqual([
      ...['paymentId', 'entityId', 'step', 'by', 'rule', 'code', 'detail'],
    ]);
  });

  it('of an event: what it is about', () => {
    expect(carried(masked.event(rowOf('events')))).toEqual(['id', 'entityId', 'kind', 'paymentId']);
  });

  it('of an exchange: ids, numbers of the host, and of its messages no card and no data of the host', () => {
    const message = JSON.stringify({ card: SECRET, hostData: SECRET, merchantId: SECRET });
    const columns = {
      request: message,
      purpose: message,
      answer: message,
      reversal: message,
      standIn: message,
    };
    expect(carried(masked.exchange({ ...rowOf('linkExchanges'), ...columns }))).toEqual([
      ...['reference', 'acquirer', 'stan', 'transmittedAt', 'state', 'original', 'entityId'],
      ...['reversalReference', 'owner'],
    ]);
  });

  it('of a stored answer: whose it is, and its members but data for the card', () => {
    const row = { ...rowOf('inbox'), result: JSON.stringify({ iccDataResponse: SECRET, code: 'x' }) };
    expect(carried(masked.inbox(row))).toEqual(['agentId', 'messageId']);
  });
});
