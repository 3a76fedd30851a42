import { TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import type { ResultName } from '@tillbridge/protocol/terminals/idtech/result-codes.js';
import {
  KEYPAD_STATES,
  STATUSES,
  type StatusName,
  type TAP_ERRORS,
} from '@tillbridge/protocol/terminals/idtech/statuses.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError, type KernelFailure } from '../../kernel/kernel-error.js';
import { isKeyFailure, KeyErased } from '../core/dukpt-device.js';
import { TwoCardsInField } from '../core/payment-core.js';
import { PinEntryEnded } from '../core/pin-pad.js';

/** A command is refused with this status alone. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: StatusName;

  constructor(status: StatusName) {
    super(`${status}: ${STATUSES[status].meaning}`);
    this.status = status;
  }
}

const CONTACT: Readonly<Record<KernelFailure, ResultName>> = {
  'card-mute': 'cardTimeout',
  fallback: 'cardRejected',
  'no-application': 'noMatchingApplication',
  'application-not-accepted': 'applicationNotSupported',
  'application-blocked': 'cardBlocked',
  'card-blocked': 'cardBlocked',
  'card-data-invalid': 'dataMissing',
  'card-misbehaves': 'cardRejected',
};

const TAP: Readonly<Record<KernelFailure, keyof typeof TAP_ERRORS>> = {
  'card-mute': 'noResponse',
  fallback: 'unsupported',
  'no-application': 'unsupported',
  'application-not-accepted': 'unsupported',
  'application-blocked': 'blocked',
  'card-blocked': 'blocked',
  'card-data-invalid': 'communication',
  'card-misbehaves': 'communication',
};

/** Whether the magstripe of a card may be swiped after this failure of its chip. */
export function allowsFallback(error: unknown): boolean {
  return error instanceof KernelError && (error.failure === 'card-mute' || error.failure === 'fallback');
}

/** The result of what went wrong with a chip in the slot; undefined for what no result describes. */
export function resultOfFailure(error: unknown): ResultName | undefined {
  if (error instanceof PinEntryEnded) return error.how === 'timeout' ? 'timeout' : 'cancelled';
  if (error instanceof CardCommunicationError) return 'cardCommunication';
  return error instanceof KernelError ? CONTACT[error.failure] : undefined;
}

/** The error of what went wrong with a tap; undefined for what none describes. */
export function tapErrorOfFailure(error: unknown): keyof typeof TAP_ERRORS | undefined {
  if (error instanceof TwoCardsInField) return 'collision';
  if (error instanceof CardCommunicationError) return 'communication';
  return error instanceof KernelError ? TAP[error.failure] : undefined;
}

/** The status of what went wrong with keys or parameters; undefined for what no status describes. */
export function statusOfFailure(error: unknown): StatusName | undefined {
  if (error instanceof StatusError) return error.status;
  if (isKeyFailure(error)) return 'secureInterface';
  if (error instanceof TerminalFormatError || error instanceof TlvError) return 'wrongParameter';
  return undefined;
}

/** How a PIN entry of its own ended without a PIN; `timeout` has a status and no state. */
export function keypadEndOf(error: unknown): number | 'timeout' | undefined {
  if (error instanceof PinEntryEnded) return error.how === 'timeout' ? 'timeout' : KEYPAD_STATES.cancelKey;
  if (error instanceof TerminalFormatError) return KEYPAD_STATES.wrongParameters;
  if (error instanceof KeyErased) return KEYPAD_STATES.keyMissing;
  return isKeyFailure(error) ? KEYPAD_STATES.keyExhausted : undefined;
}
