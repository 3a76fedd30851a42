import { type ExchangeMessage, NO_CURRENCY } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import { approves, decides, type ExchangeRecord, type ReversalProgress, stored } from './exchange-record.js';
import { bookedBy, reversedBy } from './host-movements.js';
import { REASONS } from './mapping.js';

/** Pauses between repeats of a reversal, in milliseconds; the last one goes on. */
export const REVERSAL_PAUSES_MS: readonly number[] = [5_000, 10_000, 30_000, 60_000, 300_000];
/** The longest of them. */
export const LONGEST_PAUSE_MS = Math.max(...REVERSAL_PAUSES_MS);

/** Answers to a reversal that end it: carried out, nothing to do, no such original, and one that came before. */
const ACKNOWLEDGEMENTS: ReadonlySet<string | undefined> = new Set(['00', '21', '25', '94']);

/** Answers to the advice of a stand-in that decide nothing: it is sent again. */
const UNDECIDED: ReadonlySet<string | undefined> = new Set(['68', '91', '92', '96']);

/** Number and time of a message that is about to be made. */
export interface NewNumber {
  readonly stan: string;
  readonly at: string;
  /** Place among all messages of the acquirer. */
  readonly sequence: number;
}

/** A reversal that the gateway requests. */
export interface WantedReversal {
  /** Our acquirer reference of it; absent of one that belongs to another reversal. */
  readonly reference?: string;
  /** What was approved, where that is more than this exchange. */
  readonly amount?: Money;
  /** What stays of the original amount; absent: nothing. */
  readonly remaining?: Money;
}

/** What happens to an exchange. `number` is for a reversal that may become necessary. */
export type ExchangeEvent =
  | {
      readonly kind: 'answered';
      readonly answer: ExchangeMessage;
      readonly number: NewNumber;
      readonly nowMs: number;
    }
  /** No answer came in time, the line was cut, or the process began anew. */
  | { readonly kind: 'unanswered'; readonly number: NewNumber; readonly nowMs: number }
  /** The gateway wants it reversed. */
  | {
      readonly kind: 'reverse';
      readonly wanted: WantedReversal;
      readonly number: NewNumber;
      readonly nowMs: number;
    }
  /** The host may have carried it out after it had acknowledged its reversal ({@link mayStandAfterReversal}). */
  | {
      readonly kind: 'doubted';
      /** Of another reversal; absent: the one before is repeated. */
      readonly number?: NewNumber;
      readonly nowMs: number;
    }
  /** A capture of it was given back ({@link heldAgain}). */
  | { readonly kind: 'capture-reversed'; readonly number: NewNumber; readonly nowMs: number }
  /** The advice of a stand-in is being sent. */
  | { readonly kind: 'advice-sent'; readonly nowMs: number }
  /** The reversal is being sent. */
  | { readonly kind: 'reversal-sent'; readonly nowMs: number }
  | { readonly kind: 'reversal-answered'; readonly answer: ExchangeMessage };

/**
 * The record after an event (pure): the same object where nothing changes. An exchange is reversed until the host acknowledges it; an approval that
 * comes after its reversal is reversed again, under a separate number. No request is ever sent twice as new.
 */
export function decideExchange(record: ExchangeRecord, event: ExchangeEvent): ExchangeRecord {
  return withoutTrialCard(afterEvent(record, event));
}

function afterEvent(record: ExchangeRecord, event: ExchangeEvent): ExchangeRecord {
  switch (event.kind) {
    case 'answered':
      return answered(record, event);
    case 'unanswered':
      return unanswered(record, event);
    case 'reverse':
      return reversedOnRequest(record, event);
    case 'doubted':
      return doubted(record, event);
    case 'capture-reversed':
      return holdReversed(record, event);
    case 'advice-sent':
      return sentAdvice(record, event.nowMs);
    case 'reversal-sent':
      return sentReversal(record, event.nowMs);
    case 'reversal-answered':
      return acknowledged(record, event.answer);
  }
}

function answered(
  record: ExchangeRecord,
  event: Extract<ExchangeEvent, { kind: 'answered' }>,
): ExchangeRecord {
  const answer = stored(inCurrencyOf(record.request, event.answer));
  const decided: ExchangeRecord = { ...record, state: 'answered', answer, ...bookedBy(record, answer) };
  const isDecided = decides(answer, record.request);
  if (record.state === 'sent' && !isDecided) return unanswered(record, event);
  // No process that ends here may leave the money of a trial with the host: approval and reversal are one change.
  if (record.state === 'sent')
    return record.purpose?.isTrial && approves(answer) ? reversing(decided, event) : decided;
  if (record.state === 'advice-pending')
    return isDecided && !UNDECIDED.has(answer.responseCode) ? withoutAdvice(decided) : record;
  // A refusal that came late, or a duplicate: nothing moved.
  if (!approves(answer) || (record.state === 'answered' && record.answer && approves(record.answer)))
    return record;
  // What the gateway has approved, and the host declined at first, stands now.
  if (record.state === 'answered' && record.standIn) return isDecided ? decided : record;
  // An approval without effect: it came after the reversal, or after a decline that a system on the way to the issuer gave in its place.
  const late = { ...record, ...bookedBy(record, answer), lateApprovals: record.lateApprovals + 1 };
  // A reversal that was not sent yet follows the approval anyway.
  if (record.state === 'reversing' && record.reversal?.attempts === 0) return late;
  return reversingAgain(late, event);
}

/** An answer whose amount states no currency has that of its request. */
function inCurrencyOf(request: ExchangeRecord['request'], answer: ExchangeMessage): ExchangeMessage {
  const { amount } = answer;
  if (amount?.currency !== NO_CURRENCY || !request?.amount) return answer;
  return { ...answer, amount: { ...amount, currency: request.amount.currency } };
}

/** Reversed as before, under a separate number. */
function reversingAgain(
  record: ExchangeRecord,
  event: { readonly number: NewNumber; readonly nowMs: number },
): ExchangeRecord {
  return reversing(record, { ...event, ...(record.reversal && { wanted: record.reversal }) });
}

/** An advice is sent again under the same number; any other request without an answer is reversed. */
function unanswered(
  record: ExchangeRecord,
  event: { readonly number: NewNumber; readonly nowMs: number },
): ExchangeRecord {
  return record.state === 'sent' && !record.request?.isAdvice ? reversing(record, event) : record;
}

function reversedOnRequest(
  record: ExchangeRecord,
  event: Extract<ExchangeEvent, { kind: 'reverse' }>,
): ExchangeRecord {
  const { state, answer, standIn } = record;
  if (state === 'reversing' || state === 'reversed') return record;
  const reversed = reversing(standIn ? withoutAdvice(record) : record, event);
  // The advice was never sent: the host has nothing to reverse.
  if (state === 'advice-pending' && standIn?.attempts === 0) return { ...reversed, state: 'reversed' };
  // What the host declined moved no money: there is nothing to take back.
  if (answer && !approves(answer))
    return standIn ? { ...reversed, state: 'reversed' } : { ...record, state: 'reversed' };
  return reversed;
}

/**
 * Whether a host may have carried out a request after it had acknowledged its reversal, and its answer never arrived (pure): it had found
 * nothing to reverse then.
 */
export function mayStandAfterReversal({
  state,
  request,
  answer,
  reversal,
  standIn,
  booked,
  lateApprovals,
}: ExchangeRecord): boolean {
  const isConfirmed = answer !== undefined || booked !== undefined || lateApprovals > 0;
  // The advice of a stand-in may come late as any request, unless it never left.
  const mayHaveLeft = standIn?.attempts !== 0 && request !== undefined;
  return state === 'reversed' && !isConfirmed && mayHaveLeft && reversal !== undefined;
}

function doubted(
  record: ExchangeRecord,
  { number, nowMs }: Extract<ExchangeEvent, { kind: 'doubted' }>,
): ExchangeRecord {
  const { reversal } = record;
  if (!mayStandAfterReversal(record) || !reversal) return record;
  if (number) return reversingAgain(record, { number, nowMs });
  return { ...record, state: 'reversing', reversal: { ...reversal, nextAtMs: nowMs, againSinceMs: nowMs } };
}

/**
 * The hold whose capture has just been given back (pure); undefined where it is none. A host puts a hold back with its capture: where the hold was
 * reversed while the capture stood, that reversal found nothing to release.
 */
export function heldAgain(before: ExchangeRecord, next: ExchangeRecord): string | undefined {
  const { operation, originalReference } = next.purpose ?? {};
  const isGivenBack = before.state === 'reversing' && next.state === 'reversed';
  return isGivenBack && operation === 'capture' ? originalReference : undefined;
}

/** A reversal that may have come to the host while a capture stood is made again; one that was not sent yet follows anyway. */
function holdReversed(
  record: ExchangeRecord,
  event: Extract<ExchangeEvent, { kind: 'capture-reversed' }>,
): ExchangeRecord {
  const { state, reversal, answer } = record;
  const isSent = state === 'reversed' || (state === 'reversing' && reversal?.attempts !== 0);
  const isDeclined = answer !== undefined && !approves(answer);
  return isSent && reversal && !isDeclined ? reversingAgain(record, event) : record;
}

/** Once the host has declined a trial sale, or has given back what it approved, its card is needed no more. */
function withoutTrialCard(record: ExchangeRecord): ExchangeRecord {
  const { purpose, state, sealed } = record;
  const isOver = state === 'answered' || (state === 'reversed' && !mayStandAfterReversal(record));
  return purpose?.isTrial && sealed && isOver ? withoutAdvice(record) : record;
}

function withoutAdvice({ sealed: _, ...record }: ExchangeRecord): ExchangeRecord {
  return record;
}

function sentAdvice(record: ExchangeRecord, nowMs: number): ExchangeRecord {
  const { standIn, state } = record;
  if (state !== 'advice-pending' || !standIn) return record;
  return {
    ...record,
    standIn: { ...standIn, attempts: standIn.attempts + 1, nextAtMs: nextAt(standIn, nowMs) },
  };
}

/** Whether the host has declined what the gateway had approved by itself. */
export function isDeclinedStandIn({ state, standIn, answer }: ExchangeRecord): boolean {
  return state === 'answered' && standIn !== undefined && answer !== undefined && !approves(answer);
}

function reversing(
  record: ExchangeRecord,
  {
    number: { stan, at },
    nowMs,
    wanted: { reference, amount, remaining } = {},
  }: {
    readonly number: NewNumber;
    readonly nowMs: number;
    readonly wanted?: Partial<WantedReversal>;
  },
): ExchangeRecord {
  const reversal = { stan, at, attempts: 0, nextAtMs: nowMs, ...present({ reference, amount, remaining }) };
  return { ...record, state: 'reversing', reversal };
}

function sentReversal(record: ExchangeRecord, nowMs: number): ExchangeRecord {
  const { reversal } = record;
  if (record.state !== 'reversing' || !reversal) return record;
  return {
    ...record,
    reversal: { ...reversal, attempts: reversal.attempts + 1, nextAtMs: nextAt(reversal, nowMs) },
  };
}

function nextAt({ attempts }: Pick<ReversalProgress, 'attempts'>, nowMs: number): number {
  const pause = REVERSAL_PAUSES_MS[Math.min(attempts, REVERSAL_PAUSES_MS.length - 1)] ?? 0;
  return nowMs + pause;
}

function acknowledged(record: ExchangeRecord, answer: ExchangeMessage): ExchangeRecord {
  const { reversal, state } = record;
  const { stan, at, responseCode } = answer;
  if (!ACKNOWLEDGEMENTS.has(responseCode)) return record;
  const moved = reversedBy(record, answer);
  // An answer to an earlier reversal does not answer this one; but it may be the one that gave the money back, on its settlement day.
  const isOfThis = reversal?.stan === stan && reversal.at === at;
  if (!isOfThis) return reversal && moved.reversed && answer.amount?.minor ? { ...record, ...moved } : record;
  if (state === 'reversing') return { ...record, state: 'reversed', ...moved };
  // One that was sent before the last one has come to the host behind it, and behind the request.
  return state === 'reversed' && moved.reversed ? { ...record, ...moved } : record;
}

/**
 * The reversal advice of an exchange whose sending is journaled; each repeat carries the repeat flag. It names the amount that the host approved, or the requested one where
 * the answer is unknown. Undefined where none is due.
 */
export function reversalMessage({
  request,
  answer,
  state,
  reversal,
  lateApprovals,
}: ExchangeRecord): ExchangeMessage | undefined {
  if (state !== 'reversing' || !reversal || !request) return undefined;
  const { kind, isAdvice, stan, at } = request;
  const { transaction, entryMode, rrn, terminalId, merchantId, acquirerId } = request;
  const approved = answer && approves(answer) ? answer : undefined;
  const { remaining, amount = approved?.amount ?? request.amount } = reversal;
  return {
    ...present({ transaction, amount, remaining, entryMode, rrn, terminalId, merchantId, acquirerId }),
    ...present({
      approvalCode: approved?.approvalCode,
      hostData: approved?.hostData,
      timeZone: request.timeZone,
    }),
    kind: 'reversal',
    isAdvice: true,
    isResponse: false,
    isRepeat: reversal.attempts > 1,
    reasonCode:
      lateApprovals > 0
        ? REASONS.answeredTooLate
        : !approved
          ? REASONS.unanswered
          : remaining
            ? REASONS.completedInPart
            : REASONS.cancelled,
    stan: reversal.stan,
    at: reversal.at,
    original: { type: { kind, isAdvice }, stan, at },
  };
}
