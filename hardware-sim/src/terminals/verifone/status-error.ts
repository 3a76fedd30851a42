import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { STATUSES } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { STATUS_INFO, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { DeviceStatusError } from '../core/device-status-error.js';
import { cardholderFailures, type FailureTable, kernelFailures, statusByFailure } from '../core/failure.js';

/** A command ends with this status word. */
export class StatusError extends DeviceStatusError<keyof typeof STATUSES> {}

/** How a command failed. */
interface FailedAnswer {
  readonly sw: number;
  readonly objects: readonly TlvNode[];
}

/** Where an error happened: the status of the same error depends on it. */
export type Place = 'contact' | 'tap' | 'pin' | 'elsewhere';

const ELSEWHERE: FailureTable<keyof typeof STATUSES> = {
  ...kernelFailures('emvEmptyList', 'emvOtherCard'),
  ...cardholderFailures('cardRemoved', 'cancelledByUser', 'pinTimeout'),
  'two-cards': 'emvTwoCards',
  'key-erased': 'noKeys',
  'key-exhausted': 'encryption',
  format: 'tagError',
  tlv: 'tagError',
};

const FAILURES: Readonly<Record<Place, FailureTable<keyof typeof STATUSES>>> = {
  contact: {
    ...ELSEWHERE,
    ...kernelFailures('emvEmptyList', 'emvFallback'),
    'application-not-accepted': 'emvAbort',
    'application-blocked': 'emvApplicationBlocked',
    'card-blocked': 'emvCardBlocked',
    'card-data-invalid': 'emvCardFormat',
    'card-misbehaves': 'emvCardFormat',
    ...cardholderFailures('emvAbort', 'emvPinEnded', 'emvPinEnded'),
  },
  tap: { ...ELSEWHERE, 'card-lost': 'emvTapAgain' },
  pin: { ...ELSEWHERE, 'card-lost': 'execution' },
  elsewhere: ELSEWHERE,
};

/** The answer to what went wrong; undefined for what no status describes. */
export function failedAnswer(error: unknown, place: Place): FailedAnswer | undefined {
  const status = error instanceof StatusError ? error.status : statusByFailure(error, FAILURES[place]);
  if (!status) return undefined;
  const withdrawn = place === 'contact' && error instanceof CardCommunicationError;
  return { sw: STATUSES[status].code, objects: withdrawn ? [statusInfo(STATUS_INFO.cardWithdrawn)] : [] };
}

/** DF42: four bytes. */
export function statusInfo(bits: number): TlvNode {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(bits);
  return tlv(TAGS.statusInfo, value);
}
