import { BRIDGE_LIMITS } from '@tillbridge/protocol/bridge/limits.js';
import {
  type Outcome,
  type StatusAnswer,
  StatusState,
  Disposition as WireDisposition,
} from '@tillbridge/protocol/bridge/messages.js';
import { REST_ERRORS } from '../errors/error-table.js';
import {
  type Disposition,
  type MessageStatus,
  type PaymentResult,
  TryLaterError,
} from '../payments/decide/requests.js';

const DISPOSITIONS: Readonly<Record<Exclude<Disposition, 'pending'>, WireDisposition>> = {
  approved: WireDisposition.APPROVED,
  declined: WireDisposition.DECLINED,
  reversed: WireDisposition.REVERSED,
  'nothing-to-reverse': WireDisposition.NOTHING_TO_REVERSE,
  refused: WireDisposition.REFUSED,
};

const STATES: Readonly<Record<MessageStatus['state'], StatusState>> = {
  'not-seen': StatusState.NOT_SEEN,
  'in-progress': StatusState.IN_PROGRESS,
  answered: StatusState.ANSWERED,
  tombstoned: StatusState.TOMBSTONED,
};

/** Translates the service's result for the wire. @throws TryLaterError for a payment that waits: its till hears the outcome alone */
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
  return text.length <= BRIDGE_LIMITS.maxReasonLength ? text : text.slice(0, BRIDGE_LIMITS.maxReasonLength);
}
