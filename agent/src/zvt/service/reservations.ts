import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import type { SaleAnswer } from '../../sale/machine/state/answer.js';
import { SaleError } from '../../sale/service/sale-service.js';
import { toBcd } from '../messages/bcd.js';
import { field } from '../messages/bitmaps.js';
import type { Command } from '../messages/commands.js';
import { abortion } from '../messages/reports.js';
import { RESULT, type ResultCode } from '../messages/result-codes.js';
import type { NewZvtRequest, ZvtRequest } from '../requests/zvt-requests.js';
import { isStandingCapture, refuse, reportOf, reverseRequest, rightFault, running } from './money.js';
import type { Begun, TillCall, ZvtPorts } from './ports.js';
import { approvedOf } from './sale-reports.js';

type Booking = Extract<Command, { readonly kind: 'booking' | 'partial-reversal' }>;
type FollowUp = Booking | Extract<Command, { readonly kind: 'reservation-reversal' }>;

/** A reservation of the till, or why there is none. */
type Found = { readonly reservation: ZvtRequest } | { readonly fault: ResultCode };

async function reservationOf({ till, command }: TillCall<FollowUp>, ports: ZvtPorts): Promise<Found> {
  if (command.currency !== undefined && command.currency !== currencyNumber(ports.currency))
    return { fault: RESULT.wrongCurrency };
  const reservation = await ports.requests.ofReceipt(till.terminalId, command.receipt);
  const isIts = reservation?.category === 'reservation' && reservation.till === till.till;
  return isIts ? { reservation } : { fault: RESULT.reservationNotOpen };
}

/**
 * Books a reservation, once: an amount of it, all of it, or what is left of it when a part goes back. The rest is released. The same request
 * again joins, as a sale does. A partial reversal of all is a reversal.
 */
export async function book(call: TillCall<Booking>, ports: ZvtPorts): Promise<Begun> {
  const missing = rightFault(call, 'sell');
  if (missing !== undefined) return refuse(missing);
  const found = await reservationOf(call, ports);
  if ('fault' in found) return refuse(found.fault);
  const { reservation } = found;
  const { command, till } = call;
  const answer = await saleIfThere(ports, reservation.reference);
  if (!answer) return refuse(RESULT.reservationNotOpen);
  const reserved = approvedOf(answer).minor;
  const minor = command.kind === 'booking' ? (command.minor ?? reserved) : reserved - command.minor;
  if (minor < 0 || minor > reserved) return refuse(RESULT.reservationAmountWrong);
  if (minor === 0) return command.kind === 'booking' ? refuse(RESULT.amountTooSmall) : release(call, ports);
  const { reference } = reservation;
  const wish: NewZvtRequest = {
    till: till.till,
    terminalId: till.terminalId,
    category: 'booking',
    minor,
    currency: ports.currency,
    original: reference,
    ...(command.reference !== undefined && { tillReference: command.reference }),
  };
  if (!(await ports.requests.known(wish)) && !isOpenReservation(answer))
    return refuse(answer.outcome === 'reversed' ? RESULT.alreadyReversed : RESULT.reservationNotOpen);
  const { request } = await ports.requests.begin(wish);
  return running(call, ports, request, async () => {
    const booked = await ports.sales.capture(reference, { minor, currency: ports.currency });
    return reportOf(call, ports, request, booked);
  });
}

/** Reverses a reservation of which nothing is booked. */
export async function release(call: TillCall<FollowUp>, ports: ZvtPorts): Promise<Begun> {
  const missing = rightFault(call, 'refund');
  if (missing !== undefined) return refuse(missing);
  const found = await reservationOf(call, ports);
  if ('fault' in found) return refuse(found.fault);
  return reverseRequest(call, ports, found.reservation, call.command.reference);
}

/** In place of a receipt number: none is open. */
const NO_RECEIPT = Buffer.of(0xff, 0xff);

/** Names the oldest open reservation of the till: as an abort, with its receipt number or FFFF. */
export async function openReservation(call: TillCall, ports: ZvtPorts): Promise<Begun> {
  const missing = rightFault(call, 'sell');
  if (missing !== undefined) return refuse(missing);
  const receipt = await oldestOpen(call, ports);
  const value = receipt === undefined ? NO_RECEIPT : toBcd(receipt, 2);
  const messages = [abortion(RESULT.reservationNotOpen, field(0x87, value))];
  return { kind: 'running', report: Promise.resolve({ messages, canWithhold: false, isFinal: true }) };
}

async function oldestOpen({ till }: TillCall, ports: ZvtPorts): Promise<number | undefined> {
  for (const { reference, receipt } of await ports.requests.reservations(till)) {
    const answer = await saleIfThere(ports, reference);
    if (answer && isOpenReservation(answer)) return receipt;
  }
  return undefined;
}

/** A request that was journaled and not begun, because the agent was killed in between, has no sale. */
async function saleIfThere({ sales }: ZvtPorts, reference: string): Promise<SaleAnswer | undefined> {
  try {
    return await sales.get(reference);
  } catch (error) {
    if (error instanceof SaleError && error.code === 'unknown-reference') return undefined;
    throw error;
  }
}

function isOpenReservation({ outcome, state, captures = [] }: SaleAnswer): boolean {
  return outcome === 'approved' && state === 'done' && !captures.some(isStandingCapture);
}
