import { entryByCode } from '../code-table.js';
import type { OperationStatus } from './message.js';

/** First byte of a response's status. */
export const SUMMARIES = {
  done: 0x00,
  started: 0x01,
  doneWithWarnings: 0x40,
  startedWithWarnings: 0x41,
  notStarted: 0x80,
  failed: 0x81,
} as const;

interface StatusInfo {
  readonly detail: number;
  readonly meaning: string;
  readonly hint: StatusHint;
}

/** Group, subgroup and code of the statuses that the driver can meet. */
export const STATUSES = {
  ok: { detail: 0x000000, meaning: 'successful', hint: 'ok' },
  failed: { detail: 0x000002, meaning: 'the operation failed', hint: 'device-error' },
  tampered: { detail: 0x000016, meaning: 'the device was tampered with', hint: 'tampered' },
  messageFailure: { detail: 0x010101, meaning: 'the message could not be handled', hint: 'device-error' },
  badMessage: { detail: 0x010102, meaning: 'the message is not built as it must be', hint: 'host-error' },
  offline: { detail: 0x010109, meaning: 'offline: no keys, or tampered with', hint: 'offline' },
  pinKeyNotMapped: { detail: 0x010110, meaning: 'no PIN key is mapped', hint: 'key-missing' },
  notAvailable: { detail: 0x010113, meaning: 'the feature is not available', hint: 'host-error' },
  requestFailure: { detail: 0x020101, meaning: 'the request could not be handled', hint: 'device-error' },
  badParameter: { detail: 0x020102, meaning: 'a parameter is wrong', hint: 'host-error' },
  payloadTooBig: { detail: 0x020103, meaning: 'the answer would be too long', hint: 'host-error' },
  firmwareFailure: { detail: 0x020107, meaning: 'failure of the firmware', hint: 'device-error' },
  keyMissing: { detail: 0x020119, meaning: 'the key does not exist', hint: 'key-missing' },
  notSecured: { detail: 0x02011a, meaning: 'the request is not secured', hint: 'host-error' },
  locked: { detail: 0x02011c, meaning: 'the device is locked', hint: 'offline' },
  noTransaction: { detail: 0x020304, meaning: 'no transaction', hint: 'no-transaction' },
  cannotCancel: { detail: 0x020305, meaning: 'cannot be cancelled now', hint: 'wrong-state' },
  transactionInProgress: { detail: 0x020308, meaning: 'a transaction is in progress', hint: 'busy' },
  wrongState: { detail: 0x02030d, meaning: 'not in this state of the transaction', hint: 'wrong-state' },
  pinEntryInSession: { detail: 0x02030f, meaning: 'a PIN is being entered', hint: 'busy' },
  lowBattery: { detail: 0x020316, meaning: 'the battery has five percent or less', hint: 'low-battery' },
} as const;

/** Name of a status. */
export type StatusName = keyof typeof STATUSES;

/** What a host does about a status. */
export type StatusHint = (typeof STATUSES)[StatusName]['hint'];

const find = entryByCode<StatusInfo>(STATUSES, ({ detail }) => detail);

const OK_SUMMARIES: ReadonlySet<number> = new Set([
  SUMMARIES.done,
  SUMMARIES.started,
  SUMMARIES.doneWithWarnings,
  SUMMARIES.startedWithWarnings,
]);

/** What a status says. One that is not known is an error of the device unless its summary says that all went well. */
export function statusOf({ summary, detail }: OperationStatus): Omit<StatusInfo, 'detail'> {
  if (OK_SUMMARIES.has(summary)) return STATUSES.ok;
  const info = find(detail);
  return info && info.hint !== 'ok' ? info : { meaning: 'an error that is not listed', hint: 'device-error' };
}

/** A status as people write it down: `80 02 03 04`. */
export function statusText({ summary, detail }: OperationStatus): string {
  const hex = (summary * 0x1000000 + detail).toString(16).toUpperCase().padStart(8, '0');
  return hex.replace(/(..)(?=.)/g, '$1 ');
}
