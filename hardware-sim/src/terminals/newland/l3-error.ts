import { ERRORS, type ErrorName } from '@tillbridge/wire/terminals/newland/statuses.js';
import { DeviceStatusError } from '../core/device-status-error.js';
import { cardholderFailures, type FailureTable, kernelFailures, statusByFailure } from '../core/failure.js';

/** A transaction ends with this error of the L3 module. */
export class L3Error extends DeviceStatusError<ErrorName> {}

/** A command is refused: its answer has another code than 00. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const ERRORS_OF: FailureTable<ErrorName> = {
  ...kernelFailures('noApplication', 'kernel'),
  'card-mute': 'fallback',
  fallback: 'fallback',
  'application-not-accepted': 'noApplication',
  'application-blocked': 'noApplication',
  ...cardholderFailures('removed', 'cancel', 'timeout'),
  'two-cards': 'collision',
  'magstripe-unreadable': 'tryAgain',
  'key-erased': 'fail',
  'key-exhausted': 'fail',
  state: 'fail',
  format: 'format',
};

/** The error number of a failure; undefined where the module has none. */
export function errorOfFailure(failure: unknown): number | undefined {
  const name = failure instanceof L3Error ? failure.status : statusByFailure(failure, ERRORS_OF);
  return name && ERRORS[name].code;
}
