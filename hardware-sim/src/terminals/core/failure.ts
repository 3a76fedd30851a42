import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError, type KernelFailure } from '../../kernel/kernel-error.js';
import { StateError } from '../../state/state-slot.js';
import { KeyErased } from './dukpt-device.js';
import { MagstripeUnreadable, TwoCardsInField } from './payment-core.js';
import { PinEntryEnded } from './pin-pad.js';

/** Why a device could not perform its host's request. */
type DeviceFailure =
  | KernelFailure
  /** The chip left the slot or the field, or gave no answer. */
  | 'card-lost'
  | 'pin-cancelled'
  | 'pin-timeout'
  | 'two-cards'
  | 'magstripe-unreadable'
  | 'key-erased'
  | 'key-exhausted'
  /** The host's bytes are not of the maker's form. */
  | 'format'
  /** The host's objects are no BER-TLV. */
  | 'tlv'
  /** What survives a restart could not be read or written. */
  | 'state';

/** A maker's statuses by failure; a failure that is not there has none. */
export type FailureTable<Status> = Readonly<Partial<Record<DeviceFailure, Status>>>;

/** The status of what went wrong; undefined where the table has none. */
export function statusByFailure<Status>(error: unknown, table: FailureTable<Status>): Status | undefined {
  const failure = failureOf(error);
  return failure && table[failure];
}

/** Rows of a failure table for every failure of the kernel: the one that has no application for the card, and all others. */
export function kernelFailures<Status>(noApplication: Status, other: Status) {
  return {
    'card-mute': other,
    fallback: other,
    'no-application': noApplication,
    'application-not-accepted': other,
    'application-blocked': other,
    'card-blocked': other,
    'card-data-invalid': other,
    'card-misbehaves': other,
  } satisfies Record<KernelFailure, Status>;
}

/** Rows for what cardholders do: the card is taken away, the PIN entry cancelled or left alone. */
export function cardholderFailures<Status>(cardLost: Status, pinCancelled: Status, pinTimeout: Status) {
  return { 'card-lost': cardLost, 'pin-cancelled': pinCancelled, 'pin-timeout': pinTimeout };
}

/** Whether an error is that a key of the device is gone or used up. */
export function isKeyFailure(error: unknown): boolean {
  const failure = failureOf(error);
  return failure === 'key-erased' || failure === 'key-exhausted';
}

function failureOf(error: unknown): DeviceFailure | undefined {
  if (error instanceof KernelError) return error.code;
  if (error instanceof PinEntryEnded) return `pin-${error.how}`;
  if (error instanceof CardCommunicationError) return 'card-lost';
  if (error instanceof TwoCardsInField) return 'two-cards';
  if (error instanceof MagstripeUnreadable) return 'magstripe-unreadable';
  if (error instanceof KeyErased) return 'key-erased';
  if (error instanceof CryptoError) return error.rule === 'counterExhausted' ? 'key-exhausted' : undefined;
  if (error instanceof TerminalFormatError) return 'format';
  if (error instanceof TlvError) return 'tlv';
  return error instanceof StateError ? 'state' : undefined;
}
