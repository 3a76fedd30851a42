import { TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { STATUSES, type StatusName } from '@tillbridge/protocol/terminals/miura/statuses.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError, type KernelFailure } from '../../kernel/kernel-error.js';
import { isKeyFailure } from '../core/dukpt-device.js';
import { MagstripeUnreadable, TwoCardsInField } from '../core/payment-core.js';
import { PinEntryEnded } from '../core/pin-pad.js';

/** A command ends with this status word. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly sw: number;

  constructor(status: StatusName) {
    super(`${status}: ${STATUSES[status].meaning}`);
    this.sw = STATUSES[status].sw;
  }
}

const CONTACT: Readonly<Record<KernelFailure, StatusName>> = {
  'card-mute': 'readError',
  fallback: 'readError',
  'no-application': 'unsupportedCard',
  'application-not-accepted': 'cardErrorNoSwipe',
  'application-blocked': 'cardErrorNoSwipe',
  'card-blocked': 'cardErrorNoSwipe',
  'card-data-invalid': 'cardErrorNoSwipe',
  'card-misbehaves': 'cardErrorNoSwipe',
};

/** The status of what went wrong; undefined for what no status describes. */
export function statusOfFailure(error: unknown, face: 'contact' | 'tap'): number | undefined {
  if (error instanceof StatusError) return error.sw;
  const name = statusName(error, face);
  return name && STATUSES[name].sw;
}

function statusName(error: unknown, face: 'contact' | 'tap'): StatusName | undefined {
  if (error instanceof PinEntryEnded) return 'cancelled';
  if (error instanceof TwoCardsInField) return 'tapOtherCard';
  if (error instanceof MagstripeUnreadable) return 'readError';
  if (error instanceof KernelError) {
    if (face === 'contact') return CONTACT[error.failure];
    return error.failure === 'no-application' ? 'tapInsertOrSwipe' : 'tapOtherCard';
  }
  if (error instanceof CardCommunicationError) return face === 'contact' ? 'noCard' : 'tapOtherCard';
  if (isKeyFailure(error)) return 'noPinKey';
  if (error instanceof TerminalFormatError || error instanceof TlvError) return 'invalidData';
  return undefined;
}
