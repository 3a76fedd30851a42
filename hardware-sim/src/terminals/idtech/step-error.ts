import {
  KEYPAD_STATES,
  type ResultName,
  type STATUSES,
  type TAP_ERRORS,
} from '@tillbridge/wire/terminals/idtech/statuses.js';
import { DeviceStatusError } from '../core/device-status-error.js';
import { cardholderFailures, type FailureTable, kernelFailures, statusByFailure } from '../core/failure.js';

/** A command is refused with this status alone. */
export class StatusError extends DeviceStatusError<keyof typeof STATUSES> {}

/** Results of a chip in the slot. */
export const CONTACT_RESULTS: FailureTable<ResultName> = {
  ...kernelFailures('noMatchingApplication', 'cardRejected'),
  'card-mute': 'cardTimeout',
  'application-not-accepted': 'applicationNotSupported',
  'application-blocked': 'cardBlocked',
  'card-blocked': 'cardBlocked',
  'card-data-invalid': 'dataMissing',
  ...cardholderFailures('cardCommunication', 'cancelled', 'timeout'),
};

/** Errors of a tap. */
export const TAP_FAILURES: FailureTable<keyof typeof TAP_ERRORS> = {
  ...kernelFailures('unsupported', 'unsupported'),
  'card-mute': 'noResponse',
  'application-blocked': 'blocked',
  'card-blocked': 'blocked',
  'card-data-invalid': 'communication',
  'card-misbehaves': 'communication',
  'card-lost': 'communication',
  'two-cards': 'collision',
};

const STATUS_OF: FailureTable<keyof typeof STATUSES> = {
  'key-erased': 'secureInterface',
  'key-exhausted': 'secureInterface',
  format: 'wrongParameter',
  tlv: 'wrongParameter',
};

/** How a separate PIN entry ends without a PIN; `timeout` has a status and no state. */
export const KEYPAD_ENDS: FailureTable<number | 'timeout'> = {
  'pin-cancelled': KEYPAD_STATES.cancelKey,
  'pin-timeout': 'timeout',
  'key-erased': KEYPAD_STATES.keyMissing,
  'key-exhausted': KEYPAD_STATES.keyExhausted,
  format: KEYPAD_STATES.wrongParameters,
};

/** The status of what went wrong with keys or parameters; undefined for what no status describes. */
export function statusOfFailure(error: unknown): keyof typeof STATUSES | undefined {
  return error instanceof StatusError ? error.status : statusByFailure(error, STATUS_OF);
}
