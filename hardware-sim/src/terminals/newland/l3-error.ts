import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { ERRORS, type ErrorName } from '@tillbridge/protocol/terminals/newland/statuses.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError, type KernelFailure } from '../../kernel/kernel-error.js';
import { StateError } from '../../state/state-slot.js';
import { isKeyFailure } from '../core/dukpt-device.js';
import { MagstripeUnreadable, TwoCardsInField } from '../core/payment-core.js';
import { PinEntryEnded } from '../core/pin-pad.js';

/** A transaction ends with this error of the L3 module. */
export class L3Error extends Error {
  override readonly name = 'L3Error';
  readonly code: number;

  constructor(error: ErrorName) {
    super(`${error}: ${ERRORS[error].meaning}`);
    this.code = ERRORS[error].code;
  }
}

/** A command is refused: its answer has another code than 00. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const KERNEL: Readonly<Record<KernelFailure, ErrorName>> = {
  'card-mute': 'fallback',
  fallback: 'fallback',
  'no-application': 'noApplication',
  'application-not-accepted': 'noApplication',
  'application-blocked': 'noApplication',
  'card-blocked': 'kernel',
  'card-data-invalid': 'kernel',
  'card-misbehaves': 'kernel',
};

/** The error number of a failure; undefined where the module has none. */
export function errorOfFailure(failure: unknown): number | undefined {
  if (failure instanceof L3Error) return failure.code;
  const name = errorName(failure);
  return name && ERRORS[name].code;
}

function errorName(failure: unknown): ErrorName | undefined {
  if (failure instanceof PinEntryEnded) return failure.how === 'cancelled' ? 'cancel' : 'timeout';
  if (failure instanceof TwoCardsInField) return 'collision';
  if (failure instanceof MagstripeUnreadable) return 'tryAgain';
  if (failure instanceof KernelError) return KERNEL[failure.failure];
  if (failure instanceof CardCommunicationError) return 'removed';
  if (isKeyFailure(failure) || failure instanceof StateError) return 'fail';
  return failure instanceof TerminalFormatError ? 'format' : undefined;
}
