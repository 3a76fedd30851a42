import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import type { TillRight } from '../../access/rights.js';
import { JournalUnavailable } from '../../journal/journal.js';
import type { AnswerCapture, SaleAnswer, SaleType } from '../../sale/machine/state/answer.js';
import { SaleError, type SaleErrorCode } from '../../sale/service/sale-service.js';
import type { Command } from '../messages/commands.js';
import { RESULT, type ResultCode } from '../messages/result-codes.js';
import { ZvtError } from '../messages/zvt-error.js';
import type { NewZvtRequest, ZvtCategory, ZvtRequest } from '../requests/zvt-requests.js';
import type { Begun, Report, RunningRequest, TillCall, ZvtPorts } from './ports.js';
import { refusalReport, resultOf, resultOfRequest, saleReport } from './sale-reports.js';

type Money = Extract<Command, { readonly kind: 'authorization' | 'reservation' | 'refund' }>;
type Reversal = Extract<Command, { readonly kind: 'reversal' }>;

/** What is journaled of a request, and what its sale is. */
const CATEGORIES = { authorization: 'sale', reservation: 'reservation', refund: 'refund' } as const;
const TYPES: Readonly<Partial<Record<ZvtCategory, SaleType>>> = {
  sale: 'sale',
  reservation: 'preauthorization',
  refund: 'refund',
};

/** The result for each error of the sale service. */
const OF_SALE_ERRORS: Readonly<Record<SaleErrorCode, ResultCode>> = {
  'bad-request': RESULT.protocolError,
  'unknown-terminal': RESULT.deviceMissing,
  'unknown-reference': RESULT.reversalNotPossible,
  'reference-conflict': RESULT.protocolError,
  'terminal-busy': RESULT.busy,
  'not-allowed': RESULT.reversalNotPossible,
  'outside-policy': RESULT.amountTooHigh,
  'journal-unavailable': RESULT.systemError,
  closing: RESULT.systemError,
};

/** The result for an error that a request may meet; undefined for a fault. */
export function codeOfError(error: unknown): ResultCode | undefined {
  if (error instanceof SaleError) return OF_SALE_ERRORS[error.code];
  if (error instanceof ZvtError || error instanceof RangeError) return RESULT.protocolError;
  return error instanceof JournalUnavailable ? RESULT.systemError : undefined;
}

export function refuse(code: ResultCode): Begun {
  return { kind: 'refused', code };
}

/** Sells, reserves, or refunds to a card. The same request again joins the running sale, or has its answer, until the till has acknowledged it. */
export async function money(call: TillCall<Money>, ports: ZvtPorts): Promise<Begun> {
  const { till, command } = call;
  const missing = rightFault(call, command.kind === 'refund' ? 'refund' : 'sell');
  if (missing !== undefined) return refuse(missing);
  if (command.currency !== undefined && command.currency !== currencyNumber(ports.currency))
    return refuse(RESULT.wrongCurrency);
  if (command.minor === 0) return refuse(RESULT.amountTooSmall);
  const wish: NewZvtRequest = {
    till: till.till,
    terminalId: till.terminalId,
    category: CATEGORIES[command.kind],
    minor: command.minor,
    currency: ports.currency,
    ...(command.reference !== undefined && { tillReference: command.reference }),
  };
  const busy = await busyFault(wish, ports);
  if (busy !== undefined) return refuse(busy);
  const { request } = await ports.requests.begin(wish);
  return running(call, ports, request, () => sell(call, ports, request));
}

/** Nothing is journaled while another sale occupies the terminal. */
async function busyFault(
  wish: NewZvtRequest,
  { sales, requests }: ZvtPorts,
): Promise<ResultCode | undefined> {
  const terminal = sales.terminals().find(({ id }) => id === wish.terminalId);
  if (!terminal) return RESULT.deviceMissing;
  if (terminal.runningReference === undefined) return undefined;
  const known = await requests.known(wish);
  // One that ended has its answer while another runs.
  return known ? undefined : RESULT.busy;
}

async function sell(call: TillCall<Money>, ports: ZvtPorts, request: ZvtRequest): Promise<Report> {
  const { sales } = ports;
  const { reference, category, minor, currency, terminalId, till } = request;
  const amount = { minor, currency };
  let answer = await sales.request({
    reference,
    type: TYPES[category] ?? 'sale',
    amount,
    terminalId,
    till,
  });
  const takesPart = 'takesPartialApproval' in call.command && call.command.takesPartialApproval;
  // A till that does not look at the amount would hand over goods that are not paid.
  if (answer.outcome === 'approved' && answer.approvedAmount !== undefined && !takesPart)
    answer = await sales.reverse(reference, till);
  return reportOf(call, ports, request, answer);
}

/** The report of a request, by how its sale stands now. */
export function reportOf(
  { registration }: Pick<TillCall, 'registration'>,
  ports: ZvtPorts,
  request: ZvtRequest,
  answer: SaleAnswer,
): Promise<Report> {
  return saleReport(ports, answer, { request, registration, result: resultOfRequest(request, answer) });
}

/** Reverses a sale of the terminal by its receipt number. */
export async function reversal(call: TillCall<Reversal>, ports: ZvtPorts): Promise<Begun> {
  const { till, command } = call;
  const missing = rightFault(call, 'refund');
  if (missing !== undefined) return refuse(missing);
  const original = await ports.requests.ofReceipt(till.terminalId, command.receipt);
  // What was booked goes back by a refund.
  if (!original || original.till !== till.till || original.category === 'booking')
    return refuse(RESULT.reversalNotPossible);
  return reverseRequest(call, ports, original);
}

/** Reverses the sale of an earlier request of the till. */
export async function reverseRequest(
  call: TillCall,
  ports: ZvtPorts,
  original: ZvtRequest,
  tillReference?: string,
): Promise<Begun> {
  const { till } = call;
  const wish: NewZvtRequest = {
    till: till.till,
    terminalId: till.terminalId,
    category: 'reversal',
    minor: original.minor,
    currency: original.currency,
    original: original.reference,
    ...(tillReference !== undefined && { tillReference }),
  };
  const known = await ports.requests.known(wish);
  if (!known) {
    const { outcome, state, captures = [] } = await ports.sales.get(original.reference);
    if (outcome === 'reversed' || state === 'reversing') return refuse(RESULT.alreadyReversed);
    if (outcome !== 'approved' || captures.some(isStandingCapture)) return refuse(RESULT.reversalNotPossible);
  }
  const { request } = await ports.requests.begin(wish);
  return running(call, ports, request, async () => {
    const answer = await ports.sales.reverse(original.reference, till.till);
    return reportOf(call, ports, request, answer);
  });
}

/** Whether a booking was taken, or may still be. */
export function isStandingCapture({ state }: AnswerCapture): boolean {
  return state !== 'refused' && state !== 'withdrawn';
}

/** The result for a till that lacks the right; undefined where it has it. */
export function rightFault(
  { till: { rights } }: Pick<TillCall, 'till'>,
  right: TillRight,
): ResultCode | undefined {
  return rights.includes(right) ? undefined : RESULT.notPossible;
}

/** A request that was journaled, and its work. */
export function running(
  call: TillCall,
  ports: ZvtPorts,
  request: ZvtRequest,
  work: () => Promise<Report>,
): RunningRequest {
  const { reference, till } = request;
  let last: Report | undefined;
  const noted = (report: Promise<Report>) =>
    report
      .catch((error: unknown) => failed(ports, error))
      .then((made) => {
        last = made;
        return made;
      });
  const withhold = async (): Promise<Report> => {
    const answer = await ports.sales.reverse(reference, till);
    return saleReport(ports, answer, { request, registration: call.registration, result: resultOf(answer) });
  };
  return {
    kind: 'running',
    reference,
    report: noted(work()),
    cancel: async () => {
      if (TYPES[request.category]) await ports.sales.cancel(reference, till);
    },
    withhold: () => noted(withhold()),
    acknowledge: async () => {
      if (last?.isFinal) await ports.requests.acknowledge(request);
    },
  };
}

/** The report of a request that met an error. */
export function failed(ports: ZvtPorts, error: unknown): Report {
  const code = codeOfError(error);
  if (code === undefined) ports.log.error({ err: error }, 'a request of a till failed');
  else
    ports.log.warn(
      { reason: error instanceof Error ? error.message : '' },
      'a request of a till was refused',
    );
  // A fault does not show how it ended: the same request again joins it.
  return {
    ...refusalReport(code ?? RESULT.systemError),
    isFinal: error instanceof SaleError && error.code !== 'closing',
  };
}
