import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import {
  Disposition,
  type Outcome,
  type StatusAnswer,
  StatusState,
} from '@tillbridge/wire/bridge/messages.js';
import { wireWords } from '@tillbridge/wire/bridge/wire-words.js';
import { present } from '@tillbridge/wire/present.js';
import { REST_ERRORS } from '../../kernel/errors/error-table.js';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import type { MessageStatus, PaymentResult } from '../payments/rules/requests.js';

const DISPOSITIONS = wireWords(Disposition);
const STATES = wireWords(StatusState);

/** Translates the service's result for the wire. @throws TryLaterError for a payment that waits: its till receives the outcome alone */
export function wireOutcome(result: PaymentResult): Outcome {
  const { disposition } = result;
  if (disposition === 'pending') throw new TryLaterError('the payment waits', result.paymentId);
  return {
    disposition: DISPOSITIONS[disposition],
    paymentId: result.paymentId ?? '',
    resultCode: result.resultCode,
    description: shortened(result.description),
    ...(result.amount && { amount: result.amount }),
    approvalCode: result.approvalCode ?? '',
    responseCode: result.responseCode ?? '',
    iccDataResponse: result.iccDataResponse ?? new Uint8Array(),
    brand: result.brand ?? '',
    ...present({ availableBalance: result.availableBalance, cashBack: result.cashBack }),
  };
}

/** The outcome of a message that could not be translated and changed nothing. */
export function refusedOutcome(description: string): Outcome {
  const [, , , resultCode] = REST_ERRORS['invalid-parameters'];
  return wireOutcome({ disposition: 'refused', resultCode, description });
}

/** Translates the status of a message for the wire. */
export function wireStatus(messageId: string, status: MessageStatus): StatusAnswer {
  return {
    messageId,
    state: STATES[status.state],
    ...(status.state === 'answered' && { outcome: wireOutcome(status.result) }),
  };
}

/** The text, cut to the limit of the wire. */
export function shortened(text: string): string {
  return text.slice(0, BRIDGE_LIMITS.maxReasonLength);
}
