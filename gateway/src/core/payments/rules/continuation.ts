import type { AcquirerInstrument } from '../../acquirers/acquirer.js';
import type { PaymentRequest } from './requests.js';

/**
 * What a payment that waits before its authorization needs to go on: the request as the gates before have left it, with its card and
 * card verification value, and what the gate itself keeps. It is stored sealed, and gone once the wait is over.
 */
export interface Continuation {
  readonly request: PaymentRequest;
  readonly instrument: AcquirerInstrument;
  /** Name of the gate. */
  readonly gate: string;
  /** What the gate keeps; JSON. */
  readonly state: unknown;
}

/** The continuation as bytes; the caller wipes them. A request of a terminal has none: its card is there or it is not. */
export function encodeContinuation(continuation: Continuation): Buffer {
  return Buffer.from(JSON.stringify(continuation), 'utf8');
}

/** Reads what {@link encodeContinuation} wrote. */
export function decodeContinuation(bytes: Buffer): Continuation {
  return JSON.parse(bytes.toString('utf8')) as Continuation;
}
