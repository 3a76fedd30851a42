import type { Fields } from '../messages/fields.js';

/** What a till calls a transaction, and when it began there. */
export interface TillTransaction {
  readonly transactionId: string;
  readonly timeStamp: string;
}

const TIME = /^\d{4}-\d{2}-\d{2}T[0-9:.+Z-]{2,30}$/;

/** @throws NexoError `bad-field` */
export function readTransaction(id: Fields): TillTransaction {
  return {
    transactionId: id.text('TransactionID'),
    timeStamp: id.text('TimeStamp', TIME, 'a date and time such as 2026-11-23T08:30:00Z'),
  };
}
