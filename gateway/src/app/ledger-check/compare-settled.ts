import { isDebit } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { LinkExchangeRow, LinkSettledRow } from '../../kernel/store/rows.js';
import type { Difference } from './difference.js';

type Finding = Omit<Difference, 'subject'>;

/** The settlement days of the host on which an exchange, or a line about it, moved money. Pure. */
export function daysOf(
  { bookedDay, reversedDay }: Pick<LinkExchangeRow, 'bookedDay' | 'reversedDay'>,
  lines: readonly Pick<LinkSettledRow, 'day'>[],
): readonly number[] {
  const days = [bookedDay, reversedDay, ...lines.map(({ day }) => day)];
  return [...new Set(days.filter((day) => day !== null))];
}

/**
 * The difference between what an exchange moved on a settlement day by the journal of its link, and the lines about it in the acquirer's file of
 * that day. Pure; the caller makes sure that the exchange has an outcome.
 */
export function compareSettled(
  exchange: LinkExchangeRow,
  day: number,
  lines: readonly LinkSettledRow[],
): readonly Finding[] {
  const ours = movedMinor(exchange, day);
  const theirs = lines.reduce((sum, { minor }) => sum + minor, 0);
  if (ours === theirs) return [];
  const detail = `${exchange.acquirer} ${exchange.rrn ?? ''} on ${day}: ${ours} here, ${theirs} in ${lines.length} lines there`;
  return [{ kind: kindOf(ours, theirs, lines.length), detail }];
}

function kindOf(ours: number, theirs: number, lines: number): Difference['kind'] {
  if (lines === 0) return 'not-settled';
  if (ours === 0) return 'settled-unexpected';
  return lines > 1 && Math.abs(theirs) > Math.abs(ours) ? 'settled-twice' : 'settled-differs';
}

/** What an exchange took of the cardholder on a day, in minor units; below zero: gave. */
function movedMinor(
  { bookedDay, bookedMinor, reversedDay, reversedMinor, request }: LinkExchangeRow,
  day: number,
): number {
  const isTaken = request !== null && isDebit(JSON.parse(request).transaction);
  const booked = bookedDay === day ? (bookedMinor ?? 0) : 0;
  const reversed = reversedDay === day ? (reversedMinor ?? 0) : 0;
  return isTaken ? booked - reversed : reversed - booked;
}
