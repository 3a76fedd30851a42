import { CryptoError } from '@tillbridge/protocol/crypto/ciphers/errors.js';
import { TlvError, type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { STATUSES, type StatusName } from '@tillbridge/protocol/terminals/verifone/statuses.js';
import { STATUS_INFO, TAGS } from '@tillbridge/protocol/terminals/verifone/tags.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError, type KernelFailure } from '../../kernel/kernel-error.js';
import { KeyErased } from '../core/dukpt-device.js';
import { TwoCardsInField } from '../core/payment-core.js';
import { PinEntryEnded } from '../core/pin-pad.js';

/** A command ends with this status word. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: StatusName;

  constructor(status: StatusName) {
    super(`${status}: ${STATUSES[status].meaning}`);
    this.status = status;
  }
}

/** How a command failed. */
export interface FailedAnswer {
  readonly sw: number;
  readonly objects: readonly TlvNode[];
}

/** Where an error happened: the status of the same error depends on it. */
export type Place = 'contact' | 'tap' | 'pin' | 'elsewhere';

const CONTACT: Readonly<Record<KernelFailure, StatusName>> = {
  'card-mute': 'emvFallback',
  fallback: 'emvFallback',
  'no-application': 'emvEmptyList',
  'application-not-accepted': 'emvAbort',
  'application-blocked': 'emvApplicationBlocked',
  'card-blocked': 'emvCardBlocked',
  'card-data-invalid': 'emvCardFormat',
  'card-misbehaves': 'emvCardFormat',
};

/** The answer to what went wrong; undefined for what no status describes. */
export function failedAnswer(error: unknown, place: Place): FailedAnswer | undefined {
  const status = error instanceof StatusError ? error.status : statusName(error, place);
  if (!status) return undefined;
  const withdrawn = place === 'contact' && error instanceof CardCommunicationError;
  return { sw: STATUSES[status].sw, objects: withdrawn ? [statusInfo(STATUS_INFO.cardWithdrawn)] : [] };
}

/** DF42: four bytes. */
export function statusInfo(bits: number): TlvNode {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(bits);
  return tlv(TAGS.statusInfo, value);
}

function statusName(error: unknown, place: Place): StatusName | undefined {
  if (error instanceof PinEntryEnded) {
    if (place === 'contact') return 'emvPinEnded';
    return error.how === 'cancelled' ? 'cancelledByUser' : 'pinTimeout';
  }
  if (error instanceof KernelError) {
    if (place === 'contact') return CONTACT[error.failure];
    return error.failure === 'no-application' ? 'emvEmptyList' : 'emvOtherCard';
  }
  if (error instanceof TwoCardsInField) return 'emvTwoCards';
  if (error instanceof CardCommunicationError) return REMOVED[place];
  if (error instanceof KeyErased) return 'noKeys';
  if (error instanceof CryptoError && error.rule === 'counterExhausted') return 'encryption';
  return error instanceof TerminalFormatError || error instanceof TlvError ? 'tagError' : undefined;
}

const REMOVED: Readonly<Record<Place, StatusName>> = {
  contact: 'emvAbort',
  tap: 'emvTapAgain',
  pin: 'execution',
  elsewhere: 'cardRemoved',
};
