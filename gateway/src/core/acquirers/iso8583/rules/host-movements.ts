import { APPROVED } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { approves, type ExchangeRecord } from './exchange-record.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days that a settlement day may be away from the calendar's: holidays in a row, and clocks that differ. */
const MOST_DAYS_AWAY = 10;

/** Whether a settlement day (`yyyyMMdd`) can be the host's current one (pure): one that is far away would end all days before it. */
export function isNearDay(day: string, nowMs: number): boolean {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number);
  const dayMs = Date.UTC(year ?? 0, (month ?? 0) - 1, date);
  return Math.abs(dayMs - nowMs) <= MOST_DAYS_AWAY * DAY_MS;
}

type Movements = Pick<ExchangeRecord, 'booked' | 'reversed'>;

/** A settlement day of a host (`yyyyMMdd`) as a number. */
export function dayNumber(day: string): number {
  return Number(day);
}

/** The money that the host took or gave for a request, by its answer (pure). An authorization moves nothing. */
export function bookedBy(
  { booked, request }: ExchangeRecord,
  answer: Pick<ExchangeMessage, 'responseCode' | 'amount' | 'settlementDate'>,
): Movements {
  const { amount = request?.amount, settlementDate } = answer;
  if (booked || !amount || settlementDate === undefined || !movesMoney(request) || !approves(answer))
    return {};
  return { booked: { day: dayNumber(settlementDate), minor: amount.minor } };
}

/**
 * The money that the host gave back, by its answer to a reversal (pure). Where its answer to the request was lost, this also shows what it had
 * taken. The answer to a second reversal, after a late approval, knows nothing of what the first one gave back.
 */
export function reversedBy(
  { booked, reversed, request, lateApprovals }: ExchangeRecord,
  { responseCode, amount, settlementDate, captureDate = settlementDate }: ExchangeMessage,
): Movements {
  if (reversed || responseCode !== APPROVED || settlementDate === undefined || captureDate === undefined)
    return {};
  const answered = amount?.minor ?? 0;
  const minor = answered === 0 && lateApprovals > 0 ? (booked?.minor ?? 0) : answered;
  if (minor === 0 || !movesMoney(request)) return {};
  return {
    booked: booked ?? { day: dayNumber(captureDate), minor },
    reversed: { day: dayNumber(settlementDate), minor },
  };
}

function movesMoney(request: ExchangeRecord['request']): boolean {
  return request?.kind === 'financial';
}
