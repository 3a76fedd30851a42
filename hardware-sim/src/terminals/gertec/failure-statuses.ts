import { type StatusName, statusCode } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { DeviceStatusError } from '../core/device-status-error.js';
import { type FailureTable, kernelFailures, statusByFailure } from '../core/failure.js';

/** The command ends with this status (ABECS 2.12 §3.1.1). */
export class StatusError extends DeviceStatusError<StatusName> {}

const COMMON: FailureTable<StatusName> = {
  'pin-cancelled': 'ST_CANCEL',
  'pin-timeout': 'ST_TIMEOUT',
  'key-erased': 'ST_ERRKEY',
  'key-exhausted': 'ST_ERRKEY',
  format: 'ST_INVPARM',
};

/** Statuses of a chip by contacts (ABECS 2.12 §6.9.1.2, §6.9.3.1). */
const CONTACT: FailureTable<StatusName> = {
  ...COMMON,
  'card-mute': 'ST_DUMBCARD',
  'no-application': 'ST_CARDAPPNAV',
  'application-blocked': 'ST_CARDINVALIDAT',
  'card-blocked': 'ST_CARDBLOCKED',
  'application-not-accepted': 'ST_CARDAPPNAUT',
  'card-data-invalid': 'ST_CARDINVDATA',
  'card-misbehaves': 'ST_CARDPROBLEMS',
  fallback: 'ST_ERRFALLBACK',
  'card-lost': 'ST_NOCARD',
};

/** Statuses of a tap (ABECS 2.12 §6.9.1.3). */
const TAP: FailureTable<StatusName> = {
  ...COMMON,
  ...kernelFailures('ST_CTLSAPPNAV', 'ST_CTLSPROBLEMS'),
  'card-mute': 'ST_CTLSCOMMERR',
  'application-blocked': 'ST_CTLSINVALIDAT',
  'card-blocked': 'ST_CTLSINVALIDAT',
  'application-not-accepted': 'ST_CTLSAPPNAUT',
  'card-lost': 'ST_CTLSCOMMERR',
};

/**
 * The status of a failure; `ST_INTERR` for one that no other status describes.
 * @param face how the card was given
 * @param cardPresent whether the card still sits in the slot
 */
export function statusOfFailure(error: unknown, face: 'contact' | 'tap', cardPresent: boolean): number {
  if (error instanceof StatusError) return statusCode(error.status);
  const table = cardPresent ? { ...CONTACT, 'card-lost': 'ST_ERRCARD' as const } : CONTACT;
  return statusCode(statusByFailure(error, face === 'tap' ? TAP : table) ?? 'ST_INTERR');
}
