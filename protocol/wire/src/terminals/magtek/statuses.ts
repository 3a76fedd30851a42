import { type CodeSpec, codeTable, type HintOf, specByCode } from '../code-table.js';
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

/** Group, subgroup and code of the statuses that the driver can meet. */
export const STATUSES = codeTable({
  ok: [0x000000, 'ok', 'successful'],
  failed: [0x000002, 'device-error', 'the operation failed'],
  tampered: [0x000016, 'tampered', 'the device was tampered with'],
  messageFailure: [0x010101, 'device-error', 'the message could not be handled'],
  badMessage: [0x010102, 'host-error', 'the message is not built as it must be'],
  offline: [0x010109, 'offline', 'offline: no keys, or tampered with'],
  pinKeyNotMapped: [0x010110, 'key-missing', 'no PIN key is mapped'],
  notAvailable: [0x010113, 'host-error', 'the feature is not available'],
  requestFailure: [0x020101, 'device-error', 'the request could not be handled'],
  badParameter: [0x020102, 'host-error', 'a parameter is wrong'],
  payloadTooBig: [0x020103, 'host-error', 'the answer would be too long'],
  firmwareFailure: [0x020107, 'device-error', 'failure of the firmware'],
  keyMissing: [0x020119, 'key-missing', 'the key does not exist'],
  notSecured: [0x02011a, 'host-error', 'the request is not secured'],
  locked: [0x02011c, 'offline', 'the device is locked'],
  noTransaction: [0x020304, 'no-transaction', 'no transaction'],
  cannotCancel: [0x020305, 'wrong-state', 'cannot be cancelled now'],
  transactionInProgress: [0x020308, 'busy', 'a transaction is in progress'],
  wrongState: [0x02030d, 'wrong-state', 'not in this state of the transaction'],
  pinEntryInSession: [0x02030f, 'busy', 'a PIN is being entered'],
  lowBattery: [0x020316, 'low-battery', 'the battery has five percent or less'],
});

const UNLISTED = { meaning: 'an error that is not listed', hint: 'device-error' } as const;

const specOf = specByCode(STATUSES, UNLISTED);

const OK_SUMMARIES: ReadonlySet<number> = new Set([
  SUMMARIES.done,
  SUMMARIES.started,
  SUMMARIES.doneWithWarnings,
  SUMMARIES.startedWithWarnings,
]);

/** The meaning of a status. An unknown one is an error of the device unless its summary reports success. */
export function statusOf({
  summary,
  detail,
}: OperationStatus): Omit<CodeSpec<HintOf<typeof STATUSES>>, 'code'> {
  if (OK_SUMMARIES.has(summary)) return STATUSES.ok;
  const spec = specOf(detail);
  return spec.hint === 'ok' ? UNLISTED : spec;
}

/** A status as people write it down: `80 02 03 04`. */
export function statusText({ summary, detail }: OperationStatus): string {
  const hex = (summary * 0x1000000 + detail).toString(16).toUpperCase().padStart(8, '0');
  return hex.replace(/(..)(?=.)/g, '$1 ');
}
