import { type CodeSpec, type HintOf, specByCode } from '../code-table.js';
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
export const STATUSES = {
  ok: { code: 0x000000, meaning: 'successful', hint: 'ok' },
  failed: { code: 0x000002, meaning: 'the operation failed', hint: 'device-error' },
  tampered: { code: 0x000016, meaning: 'the device was tampered with', hint: 'tampered' },
  messageFailure: { code: 0x010101, meaning: 'the message could not be handled', hint: 'device-error' },
  badMessage: { code: 0x010102, meaning: 'the message is not built as it must be', hint: 'host-error' },
  offline: { code: 0x010109, meaning: 'offline: no keys, or tampered with', hint: 'offline' },
  pinKeyNotMapped: { code: 0x010110, meaning: 'no PIN key is mapped', hint: 'key-missing' },
  notAvailable: { code: 0x010113, meaning: 'the feature is not available', hint: 'host-error' },
  requestFailure: { code: 0x020101, meaning: 'the request could not be handled', hint: 'device-error' },
  badParameter: { code: 0x020102, meaning: 'a parameter is wrong', hint: 'host-error' },
  payloadTooBig: { code: 0x020103, meaning: 'the answer would be too long', hint: 'host-error' },
  firmwareFailure: { code: 0x020107, meaning: 'failure of the firmware', hint: 'device-error' },
  keyMissing: { code: 0x020119, meaning: 'the key does not exist', hint: 'key-missing' },
  notSecured: { code: 0x02011a, meaning: 'the request is not secured', hint: 'host-error' },
  locked: { code: 0x02011c, meaning: 'the device is locked', hint: 'offline' },
  noTransaction: { code: 0x020304, meaning: 'no transaction', hint: 'no-transaction' },
  cannotCancel: { code: 0x020305, meaning: 'cannot be cancelled now', hint: 'wrong-state' },
  transactionInProgress: { code: 0x020308, meaning: 'a transaction is in progress', hint: 'busy' },
  wrongState: { code: 0x02030d, meaning: 'not in this state of the transaction', hint: 'wrong-state' },
  pinEntryInSession: { code: 0x02030f, meaning: 'a PIN is being entered', hint: 'busy' },
  lowBattery: { code: 0x020316, meaning: 'the battery has five percent or less', hint: 'low-battery' },
} as const;

const UNLISTED = { meaning: 'an error that is not listed', hint: 'device-error' } as const;

const specOf = specByCode(STATUSES, UNLISTED);

const OK_SUMMARIES: ReadonlySet<number> = new Set([
  SUMMARIES.done,
  SUMMARIES.started,
  SUMMARIES.doneWithWarnings,
  SUMMARIES.startedWithWarnings,
]);

/** What a status says. One that is not known is an error of the device unless its summary says that all went well. */
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
