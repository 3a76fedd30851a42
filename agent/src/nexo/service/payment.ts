import type { Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { SaleType } from '../../sale/machine/state/answer.js';
import { partsFault } from '../../sale/service/request-rules.js';
import { SaleError, type TerminalView } from '../../sale/service/sale-service.js';
import { cardDetailsFor } from '../answers/card-data.js';
import { paymentAnswer, saleData } from '../answers/payment-answer.js';
import { paymentReceipts } from '../answers/receipt-content.js';
import { demandRight, type NexoCaller } from '../keys/caller.js';
import { readAmount, readCurrency } from '../messages/amounts.js';
import type { Fields } from '../messages/fields.js';
import type { NexoRequest } from '../messages/message.js';
import { NexoError } from '../messages/nexo-error.js';
import { failure } from '../messages/response.js';
import type { NewTillRequest, TillRequest } from '../requests/till-requests.js';
import { busyWith } from './device-work.js';
import { type Handler, type NexoPorts, serviceId } from './ports.js';
import { refusalOf } from './refusals.js';
import { readTransaction } from './transaction.js';

/** The payment types that the agent has, and what they are to it. */
const TYPES: Readonly<Record<string, SaleType>> = {
  Normal: 'sale',
  Refund: 'refund',
  FirstReservation: 'preauthorization',
  OneTimeReservation: 'preauthorization',
};

interface RequestedPayment {
  readonly type: SaleType;
  readonly amount: Money;
  /** Parts of it. */
  readonly tip?: Money;
  readonly cashBack?: Money;
  readonly onlineOnly: boolean;
  /** Whose key it came under. */
  readonly caller: NexoCaller;
}

/** Sells, refunds to a card, or preauthorizes. The same request again joins the running sale, or gets its answer. */
export const payment: Handler = async (request, ports) => {
  const { header, body, caller } = request;
  const transaction = readTransaction(body.object('SaleData').object('SaleTransactionID'));
  const common = { SaleData: saleData(transaction) };
  try {
    const wish = { ...readPayment(body), caller };
    demandRight(caller, [wish.type === 'refund' ? 'refund' : 'sell']);
    if (wish.tip) demandRight(caller, ['tip']);
    if (wish.cashBack) demandRight(caller, ['cash-back']);
    const terminal = ports.terminals.of(header.POIID);
    const tillRequest = {
      ...transaction,
      ...keyOf(request, terminal),
      poiId: header.POIID,
      category: 'Payment',
    } as const;
    return await sell(ports, tillRequest, wish, terminal);
  } catch (error) {
    const response = refusalOf(error);
    if (!response) throw error;
    return { Response: response, ...common };
  }
};

/** The till, by the header of a request. */
export function keyOf({ header }: NexoRequest, { id: terminalId }: Pick<TerminalView, 'id'>) {
  return { saleId: header.SaleID, terminalId, serviceId: serviceId(header) };
}

/** Journals the request and runs its sale; while another one occupies the terminal, or begins there, nothing is journaled. */
async function sell(
  ports: NexoPorts,
  request: NewTillRequest,
  wish: RequestedPayment,
  terminal: TerminalView,
): Promise<object> {
  const { requests, begins } = ports;
  if (await requests.find(request, request.category)) return run(ports, request, wish, terminal);
  const occupied = occupiedBy(ports, request);
  if (occupied) return occupied;
  const isFirst = !begins.has(terminal.id);
  if (isFirst) begins.set(terminal.id, request);
  try {
    return await run(ports, request, wish, terminal);
  } finally {
    if (isFirst) begins.delete(terminal.id);
  }
}

/** The answer to a new request while its terminal has other work, or begins another request. */
function occupiedBy(ports: NexoPorts, request: NewTillRequest): object | undefined {
  const { id, runningReference } = ports.terminals.of(request.poiId);
  const work = ports.works.get(id);
  if (work) return { Response: busyWith(work), SaleData: saleData(request) };
  if (runningReference !== undefined) return busy(ports, request, runningReference);
  const begun = ports.begins.get(id);
  if (!begun || (begun.saleId === request.saleId && begun.serviceId === request.serviceId)) return undefined;
  const { category, saleId, serviceId } = begun;
  return { Response: busyWith({ category, id: serviceId, saleId }), SaleData: saleData(request) };
}

async function run(
  ports: NexoPorts,
  request: NewTillRequest,
  { type, amount, tip, cashBack, onlineOnly, caller }: RequestedPayment,
  terminal: TerminalView,
): Promise<object> {
  const { sales, requests, merchantId, store } = ports;
  const began = await requests.begin(request);
  try {
    const answer = await sales.request({
      reference: began.reference,
      type,
      amount,
      ...present({ tip, cashBack }),
      terminalId: terminal.id,
      till: request.saleId,
      ...(onlineOnly && { onlineOnly }),
    });
    const receipts = await paymentReceipts(answer, ports);
    const cardDetails = await cardDetailsFor(caller, ports, began.reference);
    const about = { request: began, merchantId, timeZone: store.timeZone, receipts, cardDetails };
    return paymentAnswer(answer, about);
  } catch (error) {
    if (error instanceof SaleError && error.runningReference !== undefined)
      return busy(ports, request, error.runningReference);
    throw error;
  }
}

/** Reports which request occupies the terminal, so that the till can abort it. */
function busy({ requests }: NexoPorts, request: NewTillRequest, runningReference: string): object {
  const running: TillRequest | undefined = requests.ofSale(runningReference);
  const whose = running ? `request ${running.serviceId} of ${running.saleId}` : `sale ${runningReference}`;
  const response = failure('Busy', `the terminal runs ${whose}: wait for it, or abort it`, {
    runningServiceID: running?.serviceId,
    runningSaleID: running?.saleId,
    runningReference,
  });
  return { Response: response, SaleData: saleData(request) };
}

function readPayment(body: Fields): Omit<RequestedPayment, 'caller'> {
  const transaction = body.object('PaymentTransaction');
  const amounts = transaction.object('AmountsReq');
  const currency = readCurrency(amounts, 'Currency');
  const amount = readAmount(amounts, 'RequestedAmount', currency);
  const tip = readPart(amounts, PART_NAMES.tip, currency);
  const cashBack = readPart(amounts, PART_NAMES.cashBack, currency);
  const named = body.objectIfThere('PaymentData')?.textIfThere('PaymentType') ?? 'Normal';
  const type = Object.hasOwn(TYPES, named) ? TYPES[named] : undefined;
  if (!type)
    throw new NexoError(
      'bad-field',
      `PaymentData.PaymentType must be one of ${Object.keys(TYPES).join(', ')}`,
    );
  const conditions = transaction.objectIfThere('TransactionConditions');
  const onlineOnly = conditions?.flag('ForceOnlineFlag') ?? false;
  const fault = partsFault({ type, amount, ...present({ tip, cashBack }) });
  if (fault) throw new NexoError('bad-field', `${amounts.path}.${PART_NAMES[fault.field]} ${fault.problem}`);
  return { type, amount, ...present({ tip, cashBack }), onlineOnly };
}

/** What nexo calls the parts of an amount. */
const PART_NAMES = { tip: 'TipAmount', cashBack: 'CashBackAmount' } as const;

/** A part of RequestedAmount; zero is none. */
function readPart(amounts: Fields, name: string, currency: string): Money | undefined {
  const value = amounts.get(name);
  return value === undefined || value === 0 ? undefined : readAmount(amounts, name, currency);
}
