import { STATUSES } from '@tillbridge/wire/terminals/miura/statuses.js';
import { DeviceStatusError } from '../core/device-status-error.js';
import { cardholderFailures, type FailureTable, kernelFailures, statusByFailure } from '../core/failure.js';

/** A command ends with this status word. */
export class StatusError extends DeviceStatusError<keyof typeof STATUSES> {}

const CONTACT: FailureTable<keyof typeof STATUSES> = {
  ...kernelFailures('unsupportedCard', 'cardErrorNoSwipe'),
  'card-mute': 'readError',
  fallback: 'readError',
  ...cardholderFailures('noCard', 'cancelled', 'cancelled'),
  'two-cards': 'tapOtherCard',
  'magstripe-unreadable': 'readError',
  'key-erased': 'noPinKey',
  'key-exhausted': 'noPinKey',
  format: 'invalidData',
  tlv: 'invalidData',
};

const TAP: FailureTable<keyof typeof STATUSES> = {
  ...CONTACT,
  ...kernelFailures('tapInsertOrSwipe', 'tapOtherCard'),
  'card-lost': 'tapOtherCard',
};

/** The status of what went wrong; undefined for what no status describes. */
export function statusOfFailure(error: unknown, face: 'contact' | 'tap'): number | undefined {
  const name =
    error instanceof StatusError ? error.status : statusByFailure(error, face === 'tap' ? TAP : CONTACT);
  return name && STATUSES[name].code;
}
