import { CodedError } from '@tillbridge/wire/errors/coded-error.js';

/** Why a transaction with a card cannot continue; one code for each reaction of the terminal. */
export type KernelFailure =
  /** The chip does not answer its reset. */
  | 'card-mute'
  /** No application that the terminal supports. */
  | 'no-application'
  /** The only application that fits is blocked by its issuer (SELECT answered 6283). */
  | 'application-blocked'
  /** The whole card is blocked (SELECT answered 6A81). */
  | 'card-blocked'
  /** GET PROCESSING OPTIONS answered 6985: not under these conditions. */
  | 'application-not-accepted'
  /** The card behaves, but its data are missing, double or malformed. */
  | 'card-data-invalid'
  /** The card does what no standard allows. */
  | 'card-misbehaves'
  /** An error for which the magnetic stripe may be used instead. */
  | 'fallback';

/** The kernel ends the transaction; the card made it impossible to go on. */
export class KernelError extends CodedError<KernelFailure> {
  constructor(failure: KernelFailure, detail: string) {
    super(failure, `${failure}: ${detail}`);
  }
}

/** Whether the magstripe may be used after this error of the chip (EMV Book 4 §6.3.1). */
export function allowsMagstripe(error: unknown): boolean {
  return error instanceof KernelError && (error.code === 'card-mute' || error.code === 'fallback');
}

/** A status word for messages, four hex digits. */
export function swText(sw: number): string {
  return sw.toString(16).toUpperCase().padStart(4, '0');
}
