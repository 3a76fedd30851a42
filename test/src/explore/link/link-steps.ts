import {
  type NewNumber,
  reversalMessage,
} from '@tillbridge/gateway/core/acquirers/iso8583/rules/decide-exchange.js';
import {
  approves,
  type ExchangeRecord,
  stored,
} from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import { standingMinor } from '@tillbridge/gateway/core/acquirers/iso8583/rules/record-entry.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { numberOf, standsAtHost } from './host.js';
import type { Exchange, LinkState } from './link-state.js';

/** Number of the merchant at the acquirer. */
export const MERCHANT = 'MERCHANT-1';
const AMOUNT = { minor: 1_000, currency: 'EUR' };
const AT = '20261120120000';
/** Times are events: each moment is the same. */
export const NOW_MS = 0;
const FIRST_REVERSAL = 900_001;

/** A request that the link sends. */
export type RequestKind = 'sale' | 'capture' | 'hold';

const REQUEST: ExchangeMessage = {
  kind: 'financial',
  isAdvice: false,
  isResponse: false,
  isRepeat: false,
  stan: '000001',
  at: AT,
  transaction: 'purchase',
  amount: AMOUNT,
  partialAllowed: true,
  merchantId: MERCHANT,
};
/** What is sent again under its number until the host answers. */
const ADVICE: ExchangeMessage = { ...REQUEST, isAdvice: true, partialAllowed: false };
const REQUESTS: Readonly<Record<RequestKind, Pick<ExchangeRecord, 'request' | 'purpose'>>> = {
  sale: { request: stored(REQUEST), purpose: { operation: 'authorization', captureNow: true } },
  capture: { request: stored(ADVICE), purpose: { operation: 'capture' } },
  hold: { request: stored({ ...REQUEST, kind: 'authorization' }), purpose: { operation: 'authorization' } },
};

/** The record of a request that is about to be sent. */
export function begun(kind: RequestKind, createdAtMs = NOW_MS): ExchangeRecord {
  return {
    ...{ reference: 'exchange', sequence: 1, ...REQUESTS[kind], state: 'sent', lateApprovals: 0 },
    ...{ createdAtMs, version: 1 },
  };
}

/** The exchange that the link has approved by itself. */
export function standsIn(exchange: Exchange): Exchange {
  const standIn = { approvalCode: '000001', attempts: 0, nextAtMs: NOW_MS };
  const record: ExchangeRecord = {
    ...begun('sale'),
    request: stored(ADVICE),
    state: 'advice-pending',
    standIn,
  };
  return { ...exchange, record, caller: 'approved' };
}

/** More attempts than these differ in their pauses alone. */
const MOST_ATTEMPTS = 3;

/** The record, in which a message that is sent again and again is one that was sent a few times. */
export function withFewAttempts(record: ExchangeRecord): ExchangeRecord {
  const { reversal, standIn } = record;
  const few = <T extends { readonly attempts: number; readonly nextAtMs: number }>(progress: T): T => ({
    ...progress,
    attempts: Math.min(progress.attempts, MOST_ATTEMPTS),
    nextAtMs: NOW_MS,
  });
  return {
    ...record,
    ...(reversal && { reversal: few(reversal) }),
    ...(standIn && { standIn: few(standIn) }),
  };
}

/** The message of a record whose sending is journaled; undefined where none is due. */
export function dueMessage(record: ExchangeRecord): ExchangeMessage | undefined {
  if (record.state === 'sent') return record.request;
  if (record.state !== 'advice-pending') return reversalMessage(record);
  return record.request && { ...record.request, isRepeat: (record.standIn?.attempts ?? 0) > 1 };
}

/** A number for a reversal that may become necessary, and the moment. */
export function newNumber({ reversal }: ExchangeRecord): {
  readonly number: NewNumber;
  readonly nowMs: number;
} {
  const sequence = reversal ? Number(reversal.stan) + 1 : FIRST_REVERSAL;
  return { number: { sequence, stan: String(sequence), at: AT }, nowMs: NOW_MS };
}

/** The link without its memory: nothing waits, and the line is gone with what came on it. */
export function crashed(state: LinkState): LinkState {
  const exchanges = state.exchanges.map((exchange) => ({ ...withoutWait(exchange), down: [] }));
  return { ...state, exchanges, isDown: true, crashes: state.crashes - 1 };
}

/** The state with a fault less to come. */
export function spent(state: LinkState): LinkState {
  return { ...state, faults: state.faults - 1 };
}

/** The exchange without a message that was on its way. */
export function without(exchange: Exchange, way: 'up' | 'down', place: number): Exchange {
  return { ...exchange, [way]: exchange[way].toSpliced(place, 1) };
}

/** The exchange, for whose answer nothing waits any more. */
export function withoutWait({ waits: _, ...exchange }: Exchange): Exchange {
  return exchange;
}

/** A message in a few words. */
export function nameOf(message: ExchangeMessage): string {
  const { kind, isAdvice, stan, isRepeat } = message;
  const what = kind === 'reversal' ? 'reversal' : isAdvice ? 'advice' : 'request';
  return `${isRepeat ? 'the repeat of ' : ''}${what} ${stan}`;
}

/** The exchange whose caller was answered, where the answer decides. */
export function callerAnswered(exchange: Exchange, isAwaited: boolean): Exchange {
  const { record, caller } = exchange;
  if (caller !== 'waits' || !isAwaited || !record) return exchange;
  if (record.state !== 'answered' || !record.answer) return { ...exchange, caller: 'unknown' };
  return { ...exchange, caller: approves(record.answer) ? 'approved' : 'declined' };
}

/** What an approval of what was reversed has to leave in the journal. */
export function lateBreach(
  before: ExchangeRecord,
  after: ExchangeRecord,
  answer: ExchangeMessage,
): Pick<Exchange, 'breach'> {
  const isGone = before.state === 'reversing' || before.state === 'reversed';
  if (answer.kind === 'reversal' || !isGone || !approves(answer)) return {};
  return after.lateApprovals > before.lateApprovals
    ? {}
    : { breach: 'P2: an approval that came after its reversal is forgotten' };
}

/** What a message that leaves says against what is journaled, or against the ledger of its host. */
export function breachOf(message: ExchangeMessage, { record, host }: Exchange): string | undefined {
  if (!record?.request) return undefined;
  const { reversal, standIn, request, answer } = record;
  const attempts = reversal?.attempts ?? standIn?.attempts ?? 0;
  if (attempts > 1 && !message.isRepeat)
    return `P2: ${nameOf(message)} is sent again without the flag of a repeat`;
  if (message.kind !== 'reversal')
    return numberOf(message) === numberOf(request) ? undefined : 'P2: an advice is sent again as another one';
  const taken = host.taken[numberOf(request)];
  if (answer && approves(answer) && taken && message.amount?.minor !== taken.minor)
    return 'P2: a reversal names another amount than the host has approved';
  return message.remaining?.minor === reversal?.remaining?.minor
    ? undefined
    : 'P2: a reversal leaves another part than was to stay';
}

/** Whether the exchange has its end, and the same one at its host. */
export function hasEnded({ record, waits, up, down, host, caller }: Exchange): boolean {
  if (caller === 'not-begun') return true;
  const isQuiet = up.length + down.length === 0 && waits === undefined && caller !== 'waits';
  if (!isQuiet || !record || (record.state !== 'answered' && record.state !== 'reversed')) return false;
  // What the host declined of what the gateway had approved by itself is listed for a person.
  const isDeclinedLater =
    record.standIn !== undefined && record.answer !== undefined && !approves(record.answer);
  return isDeclinedLater || standingMinor(record) === standsAtHost(host);
}

/** What is on its way has no order. */
export function inOrder(messages: readonly ExchangeMessage[]): readonly ExchangeMessage[] {
  if (messages.length < 2) return messages;
  const place = (message: ExchangeMessage): string => `${nameOf(message)} ${message.responseCode ?? ''}`;
  return messages.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}
