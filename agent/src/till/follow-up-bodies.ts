import type { Money } from '@tillbridge/protocol/payment/money.js';
import { nearMatch } from '@tillbridge/protocol/text/near-match.js';
import type { SettledOutcome } from '../sale/answer.js';
import type { CaptureOptions } from '../sale/desk.js';
import { bad, objectOf, optional, readAmount, readBoolean, readText, required } from './body-fields.js';
import { readReference } from './sale-body.js';

const OUTCOMES: readonly SettledOutcome[] = ['approved', 'declined', 'reversed', 'failed'];

/** Characters of a person's note. */
const MAX_NOTE_LENGTH = 200;

/**
 * Reads the body of a capture, `{amount, captureReference?, final?}`, in the currency of its sale.
 * @throws TillError `bad-request`
 */
export function readCaptureBody(
  body: unknown,
  currency: string,
): { readonly amount: Money } & CaptureOptions {
  const fields = objectOf(body, ['amount', 'captureReference', 'final']);
  const captureReference = optional(fields, 'captureReference', readReference);
  const final = optional(fields, 'final', readBoolean);
  return {
    amount: readAmount('amount', fields.amount, currency),
    ...(captureReference !== undefined && { captureReference }),
    ...(final !== undefined && { final }),
  };
}

/**
 * Reads the body of a voice authorization, `{approvalCode}`; the desk knows the rule for the code.
 * @throws TillError `bad-request`
 */
export function readVoiceBody(body: unknown): string {
  return required(objectOf(body, ['approvalCode']), 'approvalCode', readText);
}

/**
 * Reads how a person settled a parked sale, `{outcome, note}`.
 * @throws TillError `bad-request`
 */
export function readSettlementBody(body: unknown): {
  readonly outcome: SettledOutcome;
  readonly note: string;
} {
  const fields = objectOf(body, ['outcome', 'note']);
  return { outcome: required(fields, 'outcome', readOutcome), note: required(fields, 'note', readNote) };
}

function readOutcome(field: string, value: unknown): SettledOutcome {
  const text = readText(field, value);
  const outcome = OUTCOMES.find((known) => known === text);
  if (outcome) return outcome;
  const meant = nearMatch(text, OUTCOMES);
  throw bad(field, `must be one of ${OUTCOMES.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`);
}

function readNote(field: string, value: unknown): string {
  const text = readText(field, value).trim();
  if (text.length === 0 || text.length > MAX_NOTE_LENGTH) {
    throw bad(field, `must say in 1 to ${MAX_NOTE_LENGTH} characters how that was found out`);
  }
  return text;
}
