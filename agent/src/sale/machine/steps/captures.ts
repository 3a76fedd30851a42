import { exactAmount } from '@tillbridge/wire/payment/money.js';
import type { Decision, EventOf, Sale, StepContext } from '../state/events.js';
import {
  type CaptureMessage,
  capturesOf,
  isAcknowledgedOrQueued,
  isReversalStanding,
  isStanding,
} from '../state/messages.js';
import { approvedAmount, moneyMessageId, type SaleState } from '../state/sale-state.js';

/** Most captures of one preauthorization (REST parameter `numberOfCaptures`). */
const MAX_CAPTURES = 98;

/** A capture as a till requests it. */
export type CaptureRequest = Omit<EventOf<'capture'>, 'kind'>;

/** What is captured or on its way to be, in minor units. */
export function capturedMinor(state: SaleState): number {
  return capturesOf(state)
    .filter(isAcknowledgedOrQueued)
    .reduce((sum, { minor }) => sum + minor, 0);
}

/** What of a preauthorization is neither captured nor on its way to be, in minor units. */
export function uncapturedMinor(state: SaleState): number {
  return approvedAmount(state).minor - capturedMinor(state);
}

/** The capture that the till made under this name (or without one), if the gateway has not refused it. */
export function standingCapture(state: SaleState, reference: string | undefined): CaptureMessage | undefined {
  return capturesOf(state).find((each) => each.reference === reference && isStanding(each));
}

/** Journals a capture; nothing where a rule forbids it, or it was requested before. */
export function capture({ state }: Sale, wish: CaptureRequest, context: StepContext): Decision {
  const originalMessageId = moneyMessageId(state);
  const known = standingCapture(state, wish.reference);
  if (known || captureRefusal(state, wish) !== undefined || originalMessageId === undefined) return {};
  const amount = { minor: wish.minor, currency: state.request.currency };
  const named = wish.reference === undefined ? {} : { captureReference: wish.reference };
  // A capture of the rest is final, with or without the till's mark.
  const final = wish.final || wish.minor === uncapturedMinor(state);
  return {
    facts: [{ kind: 'capture', messageId: context.ids[0], originalMessageId, amount, ...named, final }],
  };
}

/** Why a capture is not allowed, as a text for the till; `undefined` when it is allowed. */
export function captureRefusal(state: SaleState, { minor, reference }: CaptureRequest): string | undefined {
  const { request, phase, outcome } = state;
  if (request.type !== 'preauthorization')
    return `it is a ${request.type}: only a preauthorization can be captured`;
  if (phase === 'parked') return 'it is parked: resolve it before anything more is captured';
  if (phase !== 'done' || outcome !== 'approved')
    return `it is ${outcome ?? phase}: only an approved one can be captured`;
  if (isReversalStanding(state)) return 'it was reversed: nothing of it can be captured any more';
  const standing = capturesOf(state).filter(isStanding);
  if (standing.some(({ final }) => final)) return 'its last capture was FINAL: no other can follow';
  if (standing.length >= MAX_CAPTURES) return `it has ${MAX_CAPTURES} captures: no other can follow`;
  if (reference === undefined && standing.length > 0) {
    return 'it has a capture already: name each of several captures with its own captureReference';
  }
  return overCapture(state, minor);
}

function overCapture(state: SaleState, minor: number): string | undefined {
  const left = uncapturedMinor(state);
  if (minor > 0 && minor <= left) return undefined;
  const { currency } = state.request;
  const text = (amount: number) => `${currency} ${exactAmount({ minor: amount, currency })}`;
  const taken = capturedMinor(state);
  const before = taken > 0 ? ` (${text(taken)} is captured or on its way)` : '';
  return `${text(minor)} is more than the ${text(left)} left of the authorized ${text(approvedAmount(state).minor)}${before}`;
}
